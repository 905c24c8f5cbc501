"""Makes a wheel of an installation of tkc (cmake --install build --prefix PREFIX), with Python's library alone.

    wheel.py PREFIX [-o FOLDER] [--level N]

pip puts the programs on PATH and libraries, headers, the CMake package and manual pages into the environment, whose root is then a
CMAKE_PREFIX_PATH. `python -m tkc_compiler` is tkc; tkc_torch and tkc_jax are modules. The same installation gives the same bytes.
"""
import argparse
import base64
import hashlib
import os
import re
import stat
import subprocess
import sys
import zipfile

NAME = "tkc_compiler"
PROGRAMS = ("tkc", "tkc-run", "tkc-diff", "tkc-tune")
MAIN = '''"""tkc, or with a program's name first tkc-run, tkc-diff or tkc-tune."""
import os
import sys
import sysconfig


def program(name="tkc"):
    """The path of an installed program."""
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        path = os.path.join(sysconfig.get_path("scripts", scheme), name)
        if os.path.exists(path):
            return path
    raise FileNotFoundError(name)


def main():
    """Replaces this process by the program."""
    arguments = sys.argv[1:]
    name = arguments.pop(0) if arguments and arguments[0] in %r else "tkc"
    os.execv(program(name), [name] + arguments)
'''


def version_of(prefix):
    """0.1.0, as Python spells versions: commits behind a tag are a local version."""
    text = subprocess.run([os.path.join(prefix, "bin/tkc"), "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    release, _, rest = text.partition("-")
    return release + ("+" + re.sub(r"[^a-z0-9]+", ".", rest) if rest else "")


def platform_of(prefix):
    """The platform's tag: the newest glibc that a program asks for."""
    newest = (2, 17)
    for program in PROGRAMS:
        with open(os.path.join(prefix, "bin", program), "rb") as file:
            for major, minor in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", file.read()):
                newest = max(newest, (int(major), int(minor)))
    # libz and libzstd are the system's, without a promise of manylinux; pip goes by glibc alone.
    return f"manylinux_{newest[0]}_{newest[1]}_{os.uname().machine}"


def files_of(prefix, version):
    """Pairs of a path in the wheel and a file or bytes, and whether it is a program."""
    data = f"{NAME}-{version}.data"
    for program in PROGRAMS:
        yield f"{data}/scripts/{program}", os.path.join(prefix, "bin", program), True
    for folder, folders, names in os.walk(prefix):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, prefix)
            if inside.startswith("bin/") or inside.endswith(".a") or os.path.islink(path):
                continue
            if inside.startswith("share/tkc/tkc_"):
                yield name, path, False
            elif name.startswith("libtkc.so."):  # a wheel has no links: one file by the name for programs, and a script for linkers
                loaded = re.match(r"libtkc\.so\.\d+\.\d+", name).group()
                yield f"{data}/data/lib/{loaded}", path, False
                yield f"{data}/data/lib/libtkc.so", f"INPUT({loaded})\n".encode(), False
            else:
                yield f"{data}/data/{inside}", path, False
    yield f"{NAME}/__init__.py", (MAIN % (PROGRAMS,)).encode(), False
    yield f"{NAME}/__main__.py", f"from {NAME} import main\n\nmain()\n".encode(), False


def metadata(version, platform):
    """The two files of dist-info that are no list."""
    return {"METADATA": f"Metadata-Version: 2.1\nName: tkc-compiler\nVersion: {version}\n"
                        "Summary: ahead-of-time compiler for GPU kernels in the Triton language\nLicense: Apache-2.0\n"
                        "Requires-Python: >=3.10\n",
            "WHEEL": f"Wheel-Version: 1.0\nGenerator: tkc\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"}


def write(path, prefix, version, platform, level):
    """The wheel itself, with the record of its files."""
    record = []
    info = f"{NAME}-{version}.dist-info"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as wheel:
        def add(name, content, program=False):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (stat.S_IFREG | (0o755 if program else 0o644)) << 16
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        for name, content, program in files_of(prefix, version):
            if isinstance(content, str):
                with open(content, "rb") as file:
                    content = file.read()
            add(name, content, program)
        with open(os.path.join(prefix, "share/doc/tkc/LICENSE"), "rb") as file:
            add(f"{info}/LICENSE", file.read())
        for name, text in metadata(version, platform).items():
            add(f"{info}/{name}", text.encode())
        wheel.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "".join(record) + f"{info}/RECORD,,\n")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    parser.add_argument("-o", "--output", default=".")
    parser.add_argument("--level", type=int, default=6, help="of compression, 0 to 9 (6)")
    arguments = parser.parse_args()
    version, platform = version_of(arguments.prefix), platform_of(arguments.prefix)
    os.makedirs(arguments.output, exist_ok=True)
    path = os.path.join(arguments.output, f"{NAME}-{version}-py3-none-{platform}.whl")
    write(path, arguments.prefix, version, platform, arguments.level)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
