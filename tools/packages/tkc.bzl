"""Kernels in Bazel.

    # MODULE.bazel
    tkc_local = use_repo_rule("//third_party/tkc:tkc.bzl", "tkc_local")
    tkc_local(name = "tkc", path = "/usr")       # an installation; of a tarball: http_archive with tkc.BUILD

    # BUILD.bazel
    load("//third_party/tkc:tkc.bzl", "tkc_kernels")
    tkc_kernels(name = "kernels", srcs = ["matmul.tk"], imports = ["common.tk"], targets = ["sm_80", "gfx942"])
    cc_binary(name = "app", srcs = ["main.c"], deps = [":kernels"], linkopts = ["-lcuda"])

An action a source: its inputs are the source, the imports, and tkc (with LLD where an image is AMD's, from the machine: name it in
`options`, --ld). It reads no other file and no environment, so sandboxes, remote execution and remote caches need nothing more.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _images(ctx, stem, chips, suffix):
    if len(chips) == 1:
        return [ctx.actions.declare_file("{}/{}.{}".format(ctx.label.name, stem, suffix))]
    return [ctx.actions.declare_file("{}/{}.{}.{}".format(ctx.label.name, stem, chip, suffix)) for chip in chips]

def _compile(ctx, source):
    stem = source.basename[:-len(source.extension) - 1]
    header = ctx.actions.declare_file("{}/{}.h".format(ctx.label.name, stem))
    outputs = [header, ctx.actions.declare_file("{}/{}.json".format(ctx.label.name, stem))]
    base = header.path[:-len(".h")]
    arguments = ctx.actions.args()
    arguments.add(source)
    for suffix, chips in [
        ("ptx", [chip for chip in ctx.attr.targets if not chip.startswith("gfx")]),
        ("hsaco", [chip for chip in ctx.attr.targets if chip.startswith("gfx")]),
    ]:
        if chips:
            outputs += _images(ctx, stem, chips, suffix)
            arguments.add("-o", base + "." + suffix)
    arguments.add_joined("-t", ctx.attr.targets, join_with = ",")
    arguments.add_all(ctx.attr.options)
    ctx.actions.run(
        executable = ctx.executable._tkc,
        arguments = [arguments],
        inputs = [source] + ctx.files.imports,
        outputs = outputs,
        mnemonic = "TkcCompile",
        progress_message = "Compiling kernels of %{input}",
        env = {},
    )
    return outputs

def _tkc_kernels(ctx):
    outputs = []
    for source in ctx.files.srcs:
        outputs += _compile(ctx, source)
    headers = [file for file in outputs if file.extension == "h"]
    context = cc_common.create_compilation_context(
        headers = depset(headers),
        includes = depset([headers[0].dirname]),
    )
    return [DefaultInfo(files = depset(outputs)), CcInfo(compilation_context = context)]

tkc_kernels = rule(
    implementation = _tkc_kernels,
    attrs = {
        "srcs": attr.label_list(allow_files = [".tk", ".py"], mandatory = True),
        "imports": attr.label_list(allow_files = [".tk", ".py"]),
        "targets": attr.string_list(default = ["sm_80"]),  # chips, as files are named after them
        "options": attr.string_list(),
        "_tkc": attr.label(default = "@tkc//:tkc", executable = True, cfg = "exec", allow_files = True),
    },
    provides = [CcInfo],
)

def _tkc_local(ctx):
    ctx.symlink(ctx.attr.path + "/bin/tkc", "bin/tkc")
    ctx.file("BUILD.bazel", 'filegroup(name = "tkc", srcs = ["bin/tkc"], visibility = ["//visibility:public"])\n')

tkc_local = repository_rule(implementation = _tkc_local, attrs = {"path": attr.string(default = "/usr")}, local = True)
