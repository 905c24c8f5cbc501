//! matmul through the CUDA driver API from Rust: an image file and its JSON are all that a loader needs, no header, no crate.
//!
//!     tkc matmul.tk --config 0 --target sm_90a -o matmul.ptx           writes matmul.json too
//!     rustc --edition 2021 -O matmul_json.rs && ./matmul_json [matmul.json]
//!
//! `launch` serves any kernel with one configuration that tkc compiled for NVIDIA: it evaluates the grid, encodes the tensor maps
//! and passes the other hidden parameters. A program would use a crate for JSON; here a few lines read it.
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_uint, c_void, CString};
use std::{env, fs, mem, process, ptr};

extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

#[derive(Debug, Clone)]
enum Json { Null, Number(f64), Text(String), List(Vec<Json>), Object(HashMap<String, Json>) }
use Json::*;

impl Json {
    fn parse(s: &mut &str) -> Json {
        *s = s.trim_start();
        let (first, rest) = (s.chars().next().unwrap(), &s[1..]);
        let next = |s: &mut &str, end| { *s = s.trim_start_matches(|c: char| c.is_whitespace() || c == ','); !s.starts_with(end) };
        match first {
            '{' => { *s = rest; let mut all = HashMap::new();
                while next(s, '}') { let Text(key) = Json::parse(s) else { panic!("no name") };
                    *s = s.trim_start().strip_prefix(':').unwrap(); all.insert(key, Json::parse(s)); }
                *s = &s[1..]; Object(all) }
            '[' => { *s = rest; let mut all = vec![];
                while next(s, ']') { all.push(Json::parse(s)); }
                *s = &s[1..]; List(all) }
            '"' => { let end = rest.find('"').unwrap(); *s = &rest[end + 1..]; Text(rest[..end].into()) } // none is escaped here
            _ => { let end = s.find(|c: char| ",]}".contains(c) || c.is_whitespace()).unwrap_or(s.len());
                let word = &s[..end]; *s = &s[end..]; word.parse().map_or(Null, Number) }
        }
    }
    fn at(&self, name: &str) -> &Json { if let Object(all) = self { all.get(name).unwrap_or(&Null) } else { &Null } }
    fn int(&self) -> i64 { if let Number(n) = self { *n as i64 } else { 0 } }
    fn text(&self) -> &str { if let Text(t) = self { t } else { "" } }
    fn list(&self) -> &[Json] { if let List(all) = self { all } else { &[] } }
}

/// A grid expression: tkc_mul(tkc_cdiv(M, 128), ...), a name or a number. The other functions are in launcher/grid_functions.def.
fn evaluate(s: &mut &str, names: &HashMap<&str, i64>) -> i64 {
    *s = s.trim_start();
    let end = s.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(s.len());
    let (word, rest) = s.split_at(end);
    *s = rest;
    if !rest.starts_with('(') { return word.parse().unwrap_or_else(|_| names[word]); }
    let mut values = vec![];
    while !s.starts_with(')') { *s = &s[1..]; values.push(evaluate(s, names)); *s = s.trim_start(); }
    *s = &s[1..];
    match (word, values[0], values.get(1).copied().unwrap_or(0)) {
        ("tkc_mul", a, b) => a * b, ("tkc_add", a, b) => a + b, ("tkc_sub", a, b) => a - b, ("tkc_min", a, b) => a.min(b),
        ("tkc_max", a, b) => a.max(b), ("tkc_cdiv", a, b) => (a + b - 1).div_euclid(b), ("tkc_floordiv", a, b) => a.div_euclid(b),
        _ => panic!("{word} is not known here"),
    }
}

const FORMAT: i64 = 1; // of descriptions: the last one that this file knows

struct Cuda(*mut c_void);
macro_rules! cuda { ($cuda:expr, $name:ident ( $($value:expr => $type:ty),* )) => { unsafe {
    let symbol = dlsym($cuda.0, CString::new(stringify!($name)).unwrap().as_ptr());
    let function: extern "C" fn($($type),*) -> c_int = mem::transmute(symbol);
    let result = function($($value),*);
    if result != 0 { eprintln!("error: {}: CUDA error {result}", stringify!($name)); process::exit(1); }
} } }
type Handle = *mut c_void;

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Map([u8; 128]);

/// `arguments` in the order of the kernel's parameters: addresses and integers. `zeros`, which stand for empty tensors: 16 bytes that are
/// read, and 16 that are written.
fn launch(cuda: &Cuda, path: &str, arguments: &[i64], zeros: u64, multiprocessors: i64) {
    let text = fs::read_to_string(path).expect(path);
    let json = Json::parse(&mut text.as_str());
    if json.at("format").int() > FORMAT {
        eprintln!("error: {path} has format {}, and this file knows formats up to {FORMAT}", json.at("format").int());
        process::exit(1);
    }
    let (kernel, entry) = (&json.at("kernels").list()[0], &json.at("kernels").list()[0].at("entries").list()[0]);
    let names: HashMap<&str, i64> = kernel.at("params").list().iter().map(|p| p.at("name").text()).zip(arguments.iter().copied()).collect();
    let mut grid = [1u32; 3];
    for (side, text) in grid.iter_mut().zip(kernel.at("grid").list()) { *side = evaluate(&mut text.text(), &names) as u32; }
    if grid.contains(&0) { return; }
    let image = CString::new(fs::read(path.replace(".json", ".ptx")).expect("the image")).unwrap();
    let name = CString::new(kernel.at("name").text()).unwrap();
    let (mut module, mut function): (Handle, Handle) = (ptr::null_mut(), ptr::null_mut());
    cuda!(cuda, cuModuleLoadData(&mut module => &mut Handle, image.as_ptr() => *const c_char));
    cuda!(cuda, cuModuleGetFunction(&mut function => &mut Handle, module => Handle, name.as_ptr() => *const c_char));
    let shared = entry.at("dynamic_shared_bytes").int() as c_int;
    cuda!(cuda, cuFuncSetAttribute(function => Handle, 8 => c_int, shared => c_int));
    let mut maps = vec![Map([0; 128]); 16]; // they stay where they are until the launch
    let mut pointers: Vec<*const c_void> = arguments.iter().map(|a| a as *const i64 as *const c_void).collect(); // little-endian
    for (i, hidden) in entry.at("hidden").list().iter().enumerate() {
        if let Some(side) = hidden.at("kind").text().strip_prefix("grid_") {
            pointers.push(&grid["xyz".find(side).unwrap()] as *const u32 as *const c_void);
            continue;
        }
        let argument = |name: &Json| names.get(name.text()).copied().unwrap_or(1);
        let numbers = |terms: &Json| -> Vec<u64> { terms.list().iter().map(|t| (t.at("times").int()
            * (argument(t.at("param")) / t.at("over").int().max(1)) * argument(t.at("by")) + t.at("plus").int()) as u64).collect() };
        let (mut sizes, mut strides) = (numbers(hidden.at("sizes")), numbers(hidden.at("byte_strides")));
        let mut address = numbers(hidden.at("byte_offsets")).iter().fold(names[hidden.at("pointer").text()] as u64, |a, o| a.wrapping_add(*o));
        if sizes.iter().any(|size| *size as i64 <= 0) { // no tensor map is empty: one element of zeros is
            sizes.fill(1);
            address = zeros + if matches!(hidden.at("written"), Null) { 0 } else { 16 };
        }
        for (stride, size) in strides.iter_mut().zip(&sizes[1..]) { if *size == 1 { *stride = 16; } } // of one element it does not matter
        let bounds: Vec<u32> = hidden.at("box").list().iter().map(|side| side.int() as u32).collect();
        let (steps, swizzle) = (vec![1u32; bounds.len()], [0, 32, 64, 128].iter().position(|s| *s == hidden.at("swizzle").int()).unwrap());
        cuda!(cuda, cuTensorMapEncodeTiled(&mut maps[i] => *mut Map, hidden.at("data_type_value").int() as c_int => c_int,
            bounds.len() as c_uint => c_uint, address => u64, sizes.as_ptr() => *const u64,
            strides.as_ptr() => *const u64, bounds.as_ptr() => *const u32, steps.as_ptr() => *const u32, 0 => c_int,
            swizzle as c_int => c_int, 3 => c_int, 0 => c_int)); // no interleaving, 256-byte L2 promotion, zeros outside
        pointers.push(&maps[i] as *const Map as *const c_void);
    }
    let persistent = entry.at("persistent").int() * multiprocessors;
    let blocks = if persistent > 0 { [(grid[0] * grid[1] * grid[2]).min(persistent as u32), 1, 1] } else { grid };
    cuda!(cuda, cuLaunchKernel(function => Handle, blocks[0] => c_uint, blocks[1] => c_uint, blocks[2] => c_uint,
        entry.at("threads").int() as c_uint => c_uint, 1 => c_uint, 1 => c_uint, shared as c_uint => c_uint,
        ptr::null_mut() => Handle, pointers.as_ptr() => *const *const c_void, ptr::null_mut() => Handle));
}

/// fp16 of an integer from 0 to 2047.
fn half(v: u32) -> u16 { let bits = 32 - v.leading_zeros(); if v == 0 { 0 } else { ((14 + bits) << 10 | (v << (11 - bits)) & 0x3ff) as u16 } }

fn upload(cuda: &Cuda, values: &[u16]) -> i64 {
    let mut address = 0u64;
    cuda!(cuda, cuMemAlloc_v2(&mut address => &mut u64, 2 * values.len() => usize));
    cuda!(cuda, cuMemcpyHtoD_v2(address => u64, values.as_ptr() => *const u16, 2 * values.len() => usize));
    address as i64
}

fn main() {
    const M: usize = 200; const N: usize = 272; const K: usize = 80;
    let cuda = Cuda(unsafe { dlopen(c"libcuda.so.1".as_ptr(), 2) });
    if cuda.0.is_null() { eprintln!("error: there is no libcuda.so.1"); process::exit(1); }
    let (mut device, mut multiprocessors, mut context): (c_int, c_int, Handle) = (0, 0, ptr::null_mut());
    cuda!(cuda, cuInit(0 => c_uint));
    cuda!(cuda, cuDeviceGet(&mut device => &mut c_int, 0 => c_int));
    cuda!(cuda, cuDeviceGetAttribute(&mut multiprocessors => &mut c_int, 16 => c_int, device => c_int));
    cuda!(cuda, cuDevicePrimaryCtxRetain(&mut context => &mut Handle, device => c_int));
    cuda!(cuda, cuCtxSetCurrent(context => Handle));
    let (a, b) = (|i: usize, k: usize| ((3 * i + k) % 5) as u32, |k: usize, j: usize| ((k + 2 * j) % 4) as u32);
    let matrix = |rows: usize, columns: usize, f: &dyn Fn(usize, usize) -> u32| -> Vec<u16> {
        (0..rows * columns).map(|at| half(f(at / columns, at % columns))).collect() };
    let (x, y, zeros) = (upload(&cuda, &matrix(M, K, &a)), upload(&cuda, &matrix(K, N, &b)), upload(&cuda, &[0; 16]) as u64);
    let (path, n, k) = (env::args().nth(1).unwrap_or("matmul.json".into()), N as i64, K as i64);
    let mut all_wrong = 0;
    for (rows, depth) in [(M, K), (M, 0), (0, K)] { // of no columns and no rows the product is zeros
        let want = matrix(M, N, &|i, j| if i < rows { (0..depth).map(|k| a(i, k) * b(k, j)).sum() } else { 1 });
        let z = upload(&cuda, &vec![half(1); M * N]);
        launch(&cuda, &path, &[x, y, z, rows as i64, n, depth as i64, k, 1, n, 1, n, 1], zeros, multiprocessors as i64);
        let mut got = vec![0u16; M * N];
        cuda!(cuda, cuMemcpyDtoH_v2(got.as_mut_ptr() => *mut u16, z as u64 => u64, 2 * M * N => usize));
        let wrong = got.iter().zip(&want).filter(|(x, y)| x != y).count();
        println!("{rows} x {N} x {depth}: {wrong} of {} elements wrong", M * N);
        all_wrong += wrong;
    }
    process::exit((all_wrong != 0) as i32);
}
