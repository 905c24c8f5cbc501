"""Kernels in Bazel: a rule that compiles sources to launcher headers.

    # MODULE.bazel
    tkc_local = use_repo_rule("//tools:tkc.bzl", "tkc_local")
    tkc_local(name = "tkc", path = "/usr")       # an installation of tkc; in a WORKSPACE: load(), and the same call

    # app/BUILD.bazel
    load("//tools:tkc.bzl", "tkc_kernels")
    tkc_kernels(name = "kernels", srcs = ["matmul.tk"], imports = ["common.tk"], targets = ["sm_80", "gfx942"])
    cc_binary(name = "app", srcs = ["main.c", ":kernels"], linkopts = ["-lcuda"])     # #include "app/kernels/matmul.h"

The headers hold the images. The images alone are the output group `images`, descriptions `json`. An action compiles a source: its inputs
are the source, the imports and tkc, it reads no environment, and its outputs do not name the place of the build; so sandboxes, remote
execution and remote caches need nothing more. AMD's images are linked by an LLD of the machine that runs the action.
"""

def _images(ctx, stem, chips, suffix):
    if len(chips) == 1:
        return [ctx.actions.declare_file("{}/{}.{}".format(ctx.label.name, stem, suffix))]
    return [ctx.actions.declare_file("{}/{}.{}.{}".format(ctx.label.name, stem, chip, suffix)) for chip in chips]

def _compile(ctx, source, headers, images, descriptions):
    stem = source.basename[:-len(source.extension) - 1]
    header = ctx.actions.declare_file("{}/{}.h".format(ctx.label.name, stem))
    description = ctx.actions.declare_file("{}/{}.json".format(ctx.label.name, stem))
    made = []
    base = header.path[:-len(".h")]
    arguments = ctx.actions.args()
    arguments.add(source)
    for suffix, chips in [
        ("ptx", [chip for chip in ctx.attr.targets if not chip.startswith("gfx")]),
        ("hsaco", [chip for chip in ctx.attr.targets if chip.startswith("gfx")]),
    ]:
        if chips:
            made += _images(ctx, stem, chips, suffix)
            arguments.add("-o", base + "." + suffix)
    arguments.add_joined("-t", ctx.attr.targets, join_with = ",")
    arguments.add_all(ctx.attr.options)
    ctx.actions.run(
        executable = ctx.executable._tkc,
        arguments = [arguments],
        inputs = [source] + ctx.files.imports,
        outputs = [header, description] + made,
        mnemonic = "TkcCompile",
        progress_message = "Compiling kernels of %{input}",
        env = {},
    )
    headers.append(header)
    descriptions.append(description)
    images.extend(made)

def _tkc_kernels(ctx):
    headers, images, descriptions = [], [], []
    for source in ctx.files.srcs:
        _compile(ctx, source, headers, images, descriptions)
    return [
        DefaultInfo(files = depset(headers)),
        OutputGroupInfo(images = depset(images), json = depset(descriptions)),
    ]

tkc_kernels = rule(
    implementation = _tkc_kernels,
    attrs = {
        "srcs": attr.label_list(allow_files = [".tk", ".py"], mandatory = True),
        "imports": attr.label_list(allow_files = [".tk", ".py"]),
        "targets": attr.string_list(default = ["sm_80"]),  # chips, as files are named after them
        "options": attr.string_list(),
        "_tkc": attr.label(default = "@tkc//:bin/tkc", executable = True, cfg = "exec", allow_single_file = True),
    },
)

def _tkc_local(ctx):
    ctx.symlink(ctx.attr.path + "/bin/tkc", "bin/tkc")
    ctx.file("BUILD.bazel", 'exports_files(["bin/tkc"])\n')

tkc_local = repository_rule(implementation = _tkc_local, attrs = {"path": attr.string(default = "/usr")}, local = True)
