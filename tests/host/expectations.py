"""What a test in Python expects; what is not so is printed and counted."""
failures = 0


def expect(what, good):
    global failures
    failures += not good
    if not good:
        print(f"failed: {what}")


def refused(text, function):
    try:
        function()
    except Exception as error:
        expect(f"'{error}' says '{text}'", text in str(error))
    else:
        expect(f"'{text}' is accepted", False)
