//! The structs that kernels and Rust share, read from `kernels/*_layout.h`, and checks of every field of them: its
//! offset, its size and its type. One file of checks is for Rust and one for the compilers of the kernels, so that a
//! field that moves on either side fails the build. The headers are written so that this suffices to read them: a
//! comment begins with `//`, a struct or union begins a line, and each of its fields has a declaration of its own.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

/// A struct or a union.
struct Layout {
    name: String,
    is_union: bool,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    /// Its type in Rust.
    rust: String,
    of: FieldType,
}

/// What is known of a type.
#[derive(Clone)]
struct FieldType {
    size: usize,
    align: usize,
    /// Where addresses of device memory lie in it.
    pointers: Vec<usize>,
}

impl FieldType {
    fn array(&self, len: usize) -> Self {
        let pointers = (0..len).flat_map(|at| self.pointers.iter().map(move |pointer| at * self.size + pointer));
        Self { size: self.size * len, align: self.align, pointers: pointers.collect() }
    }
}

impl Layout {
    /// Each field with its offset, and the size of all; by the rules that C++ and `repr(C)` have in common.
    fn offsets(&self) -> (Vec<usize>, usize) {
        let (mut offsets, mut end) = (Vec::new(), 0);
        for field in &self.fields {
            let begin = if self.is_union { 0 } else { usize::next_multiple_of(end, field.of.align) };
            offsets.push(begin);
            end = end.max(begin + field.of.size);
        }
        (offsets, end.next_multiple_of(self.align()))
    }

    fn align(&self) -> usize {
        self.fields.iter().map(|field| field.of.align).max().unwrap_or(1)
    }

    /// Where addresses of device memory lie. What a union holds is known to the kernel alone.
    fn pointers(&self) -> Vec<usize> {
        let fields = self.fields.iter().filter(|_| !self.is_union).zip(self.offsets().0);
        fields.flat_map(|(field, offset)| field.of.pointers.iter().map(move |pointer| offset + pointer)).collect()
    }

    fn as_type(&self) -> FieldType {
        FieldType { size: self.offsets().1, align: self.align(), pointers: self.pointers() }
    }
}

/// Writes `layout_checks.rs` and `layout_checks.h`. Gives, for each struct, where addresses of device memory lie in it.
pub fn write() -> HashMap<String, Vec<usize>> {
    let mut rust = String::new();
    let mut cpp = "// Written by the build script.\n#pragma once\n#include <cstddef>\n".to_owned();
    let layouts = read();
    for layout in &layouts {
        check_rust(&mut rust, layout);
        check_cpp(&mut cpp, layout);
    }
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("layout_checks.rs"), rust).expect("the build folder is writable");
    fs::write(Path::new(&out).join("layout_checks.h"), cpp).expect("the build folder is writable");
    layouts.into_iter().map(|layout| (layout.name.clone(), layout.pointers())).collect()
}

/// A function of a field's type that is only compiled shows the type; a field that has moved fails an assertion.
fn check_rust(to: &mut String, layout: &Layout) {
    let (offsets, size) = layout.offsets();
    let name = &layout.name;
    let mut line = |text: String| writeln!(to, "{text}").expect("text can be written to a string");
    line("const _: () = {".to_owned());
    for (field, offset) in layout.fields.iter().zip(offsets) {
        let Field { name: field, rust, of: FieldType { size, .. } } = field;
        line(format!("    assert!(offset_of!({name}, {field}) == {offset}, \"{name}::{field} is elsewhere in C++\");"));
        line(format!("    assert!(size_of::<{rust}>() == {size}, \"{name}::{field} has another size in C++\");"));
        line(match layout.is_union {
            true => format!("    let _: fn({rust}) -> {name} = |value| {name} {{ {field}: value }};"),
            false => format!("    let _: fn(&{name}) -> &{rust} = |of| &of.{field};"),
        });
    }
    line(format!("    assert!(size_of::<{name}>() == {size}, \"{name} has another size in C++\");\n}};"));
}

fn check_cpp(to: &mut String, layout: &Layout) {
    let (offsets, size) = layout.offsets();
    let name = &layout.name;
    let mut assert =
        |test: String| writeln!(to, "static_assert({test}, \"shared with Rust\");").expect("a string grows");
    for (field, offset) in layout.fields.iter().zip(offsets) {
        let Field { name: field, of: FieldType { size, .. }, .. } = field;
        assert(format!("offsetof({name}, {field}) == {offset} && sizeof({name}::{field}) == {size}"));
    }
    assert(format!("sizeof({name}) == {size}"));
}

/// All layouts, each after those that it contains.
fn read() -> Vec<Layout> {
    let mut known = HashMap::new();
    let mut all = Vec::new();
    let mut waiting: Vec<(String, bool, String)> = headers().iter().flat_map(|text| definitions(text)).collect();
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|(name, is_union, body)| {
            let Some(fields) = fields(body, &known) else { return true };
            let layout = Layout { name: name.clone(), is_union: *is_union, fields };
            known.insert(name.clone(), layout.as_type());
            all.push(layout);
            false
        });
        assert!(waiting.len() < before, "a field of `{}` has a type that the build script does not know", waiting[0].0);
    }
    all
}

fn headers() -> Vec<String> {
    let entries = fs::read_dir("kernels").expect("the crate has a folder kernels");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.to_str().is_some_and(|path| path.ends_with("_layout.h")));
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a readable header")).collect()
}

/// Names and bodies of the structs and unions of a header, and whether they are unions.
fn definitions(text: &str) -> Vec<(String, bool, String)> {
    let plain: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let plain = format!("\n{}", plain.join("\n"));
    let mut found = Vec::new();
    for (keyword, is_union) in [("\nstruct ", false), ("\nunion ", true)] {
        for rest in plain.split(keyword).skip(1) {
            let Some((head, body)) = rest.split_once('{') else { continue };
            // A declaration without a body ends before the next brace.
            if !head.contains(';') {
                let body = body.split_once('}').expect("a body has an end").0;
                found.push((head.trim().to_owned(), is_union, body.to_owned()));
            }
        }
    }
    found
}

/// The fields of a body, unless it contains a struct that is not known yet.
fn fields(body: &str, known: &HashMap<String, FieldType>) -> Option<Vec<Field>> {
    let declarations = body.split(';').map(str::trim).filter(|declaration| !declaration.is_empty());
    declarations.map(|declaration| field(declaration, known)).collect()
}

/// A field such as `const u32* codes` or `u32 bits[2]`.
fn field(declaration: &str, known: &HashMap<String, FieldType>) -> Option<Field> {
    assert!(!declaration.contains(','), "one declaration for each field: `{declaration}`");
    let (of, name) = declaration.rsplit_once(' ').expect("a field has a type and a name");
    let of = of.trim_start_matches("const ").trim();
    if let Some(target) = of.strip_suffix('*') {
        let target = basic(target).map_or(target, |(rust, ..)| rust);
        let of = FieldType { size: 8, align: 8, pointers: vec![0] };
        return Some(Field { name: name.to_owned(), rust: format!("DevicePtr<{target}>"), of });
    }
    let (rust, of) = match basic(of) {
        Some((rust, size, align)) => (rust, FieldType { size, align, pointers: Vec::new() }),
        None => (of, known.get(of)?.clone()),
    };
    let Some((name, len)) = name.split_once('[') else {
        return Some(Field { name: name.to_owned(), rust: rust.to_owned(), of });
    };
    let len: usize = len.trim_end_matches(']').parse().expect("the length of an array is a number");
    Some(Field { name: name.to_owned(), rust: format!("[{rust}; {len}]"), of: of.array(len) })
}

/// The types that C++ has itself: their names in Rust, sizes and alignments.
fn basic(of: &str) -> Option<(&'static str, usize, usize)> {
    Some(match of {
        "u8" => ("u8", 1, 1),
        "u16" => ("u16", 2, 2),
        "u32" => ("u32", 4, 4),
        "u64" => ("u64", 8, 8),
        "i64" => ("i64", 8, 8),
        "double" => ("f64", 8, 8),
        "uint2" => ("[u32; 2]", 8, 8),
        "void" => ("Untyped", 0, 1),
        _ => return None,
    })
}
