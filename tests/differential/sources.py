"""Sources of kernels without what surrounds them: files of a clone, loaded as far as a compiler of kernels needs them.

A kernel's file imports its whole project, and the project imports what is not installed. So a file of a clone is executed a
statement at a time, and only statements that define something: imports, assignments, functions, classes, and the branches that
hold them. What fails leaves its names undefined. A module that cannot be found is a Stranger: every attribute of one is one,
calling it gives one, and as a decorator it leaves a function as it is.
"""
import ast
import importlib.abc
import importlib.machinery
import os
import sys
import types

NEVER_RUN = ("test", "setup.py", "conftest.py", "benchmark")
DEFINING = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.ClassDef, ast.If, ast.Try, ast.With)
FACTS = {"torch.version.hip": None, "torch.version.xpu": None, "torch.version.cuda": "12.8", "torch.__version__": "2.11.0"}


class Stranger(types.ModuleType):
    """Stands for a module, class, function or value that is not there."""
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__") and name not in ("__version__",):
            raise AttributeError(name)
        full = f"{self.__name__}.{name}"
        return FACTS[full] if full in FACTS else Stranger(full)

    def __call__(self, *arguments, **keywords):
        only = arguments[0] if len(arguments) == 1 and not keywords else None
        return only if callable(only) and not isinstance(only, Stranger) else Stranger(self.__name__ + "()")

    def __mro_entries__(self, bases):
        return ()

    def __getitem__(self, key):
        return Stranger(self.__name__ + "[]")

    def __iter__(self):
        return iter(())

    def __bool__(self):
        return False

    def __lt__(self, other):
        return False

    __gt__ = __le__ = __ge__ = __lt__

    def __eq__(self, other):
        return self is other

    def __or__(self, other):
        return self

    __ror__ = __add__ = __mul__ = __sub__ = __or__

    def __hash__(self):
        return id(self)


def execute(tree, names, path):
    """Runs the statements of a file that define something, each for itself."""
    for statement in tree.body:
        if not isinstance(statement, DEFINING):
            continue
        try:
            exec(compile(ast.Module([statement], []), path, "exec"), names)
        except Exception:
            continue


class Loader(importlib.abc.Loader):

    def __init__(self, path):
        self.path = path

    def create_module(self, spec):
        return Stranger(spec.name) if self.path is None else None

    def exec_module(self, module):
        if self.path is None or not os.path.exists(self.path):
            return
        with open(self.path, errors="replace") as file:
            text = file.read()
        module.__file__ = self.path
        try:
            execute(ast.parse(text), vars(module), self.path)
        except SyntaxError:
            return


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of a clone, and strangers for what is nowhere. Triton and the C library of Python come first."""

    def __init__(self, roots, installed=("triton", "numpy", "packaging")):
        self.roots, self.installed = roots, installed

    def find_spec(self, name, path=None, target=None):
        first = name.split(".")[0]
        if first in sys.stdlib_module_names or first in self.installed:
            return None
        for root in self.roots:
            stem = os.path.join(root, *name.split("."))
            for file, package in ((os.path.join(stem, "__init__.py"), True), (stem + ".py", False)):
                if os.path.exists(file):
                    return importlib.machinery.ModuleSpec(name, Loader(file), origin=file, is_package=package)
            if os.path.isdir(stem):
                spec = importlib.machinery.ModuleSpec(name, Loader(stem + "/__init__.py"), is_package=True)
                spec.submodule_search_locations = [stem]
                return spec
        return importlib.machinery.ModuleSpec(name, Loader(None), is_package=True)


def module_name(path, root):
    name = os.path.relpath(path, root)[:-len(".py")].replace(os.sep, ".")
    return name[:-len(".__init__")] if name.endswith(".__init__") else name


def roots_of(clone):
    """Folders of a clone from which its files import: those that hold a package whose own folder is none."""
    roots = {clone}
    for at, folders, files in os.walk(clone):
        folders[:] = [f for f in folders if not f.startswith(".")]
        if "__init__.py" in files and not os.path.exists(os.path.join(os.path.dirname(at), "__init__.py")):
            roots.add(os.path.dirname(at))
    return sorted(roots, key=len, reverse=True)


# ---- finding kernels ----


def is_jit(decorator):
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    text = ast.unparse(node)
    return text in ("triton.jit", "jit", "triton_jit") or text.endswith((".triton.jit", "triton_jit"))


def jit_functions(tree):
    return [n for n in tree.body if isinstance(n, ast.FunctionDef) and any(is_jit(d) for d in n.decorator_list)]


def calls(function):
    """Names of the functions that a function calls."""
    return {node.func.id if isinstance(node.func, ast.Name) else node.func.attr for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute))}


def returns_value(function):
    return any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))


def kernels(clone):
    """[(path, tree of the file, function)] of a clone's kernels: what no other kernel function calls, and gives nothing back."""
    found, called = [], set()
    for at, folders, files in sorted(os.walk(clone)):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for path in (os.path.join(at, f) for f in sorted(files) if f.endswith(".py")):
            with open(path, errors="replace") as file:
                text = file.read()
            if "jit" not in text or "triton" not in text:
                continue
            try:
                tree = ast.parse(text)
            except SyntaxError:
                continue
            for function in jit_functions(tree):
                called |= calls(function)
                found.append((path, tree, function))
    return [(p, t, f) for p, t, f in found if f.name not in called and not returns_value(f)]
