//! Write combining: tuples for one destination are gathered into a cache line, and lines go to memory whole.
//!
//! Thousands of destinations written tuple by tuple would miss the caches and the translation buffers at every tuple.
//! With a line of each in the second-level cache, memory is touched once in eight tuples, by a store that bypasses
//! the caches and so spares reading the line first.
//!
//! Several threads write one array, each its own ranges, hence the `unsafe` here. That a write stays within its range and
//! that every range is full in the end is checked at run time, by [`Ranges`]; that ranges are disjoint and cover the
//! array is for `partition` to know, which makes them.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::key::Key;
use super::source::Tuple;

/// Bytes of a cache line.
const LINE: usize = 64;

/// One cache line of tuples under way.
#[repr(C, align(64))]
#[derive(Clone, Copy, Pod, Zeroable)]
struct CacheLine([u64; LINE / 8]);

/// An array that starts on a cache line.
pub struct Array<T> {
    /// Its memory: a list without entries, of which only the capacity is used.
    memory: Vec<CacheLine>,
    len: usize,
    entries: PhantomData<T>,
}

impl<T: Copy> Array<T> {
    /// The entries.
    pub fn entries(&self) -> &[T] {
        // SAFETY: only `Blank::filled` makes an array; it holds `len` initialised entries, aligned as lines are.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }
}

/// An [`Array`] to be written.
pub struct Blank<T>(Array<T>);

impl<T: Copy> Blank<T> {
    /// `len` entries, in the memory of another array where that suffices.
    pub fn new(memory: Option<Array<T>>, len: usize) -> Self {
        const { assert!(LINE.is_multiple_of(size_of::<T>()) && align_of::<T>() <= LINE) };
        let mut memory = memory.map(|array| array.memory).unwrap_or_default();
        memory.reserve_exact(len.div_ceil(LINE / size_of::<T>()));
        Self(Array { memory, len, entries: PhantomData })
    }

    /// The right to write the entries.
    pub fn target(&mut self) -> WriteTarget<'_, T> {
        let slots = self.0.memory.as_mut_ptr().cast::<UnsafeCell<MaybeUninit<T>>>();
        // SAFETY: the memory has room for `len` entries, aligned; a cell has the layout of what it holds; the exclusive
        // borrow lasts as long as the target.
        WriteTarget { slots: unsafe { std::slice::from_raw_parts(slots, self.0.len) } }
    }

    /// The array, written.
    ///
    /// # Safety
    /// Every entry is initialised.
    pub unsafe fn filled(self) -> Array<T> {
        self.0
    }
}

/// Entries of an array, whose ranges are written by several threads at once, each range by one.
pub struct WriteTarget<'a, T> {
    slots: &'a [UnsafeCell<MaybeUninit<T>>],
}

// SAFETY: sharing a target only shares the right to make `Ranges` of it, which is unsafe and demands disjointness.
unsafe impl<T: Send> Sync for WriteTarget<'_, T> {}

/// Consecutive writes to many ranges of a target: for each destination where it begins, stands and ends.
pub struct Ranges<'a, T> {
    target: &'a WriteTarget<'a, T>,
    begin: Vec<u32>,
    next: Vec<u32>,
    end: Vec<u32>,
}

impl<'a, T: Copy> Ranges<'a, T> {
    /// # Safety
    /// While this lives, nobody else reads or writes the ranges.
    pub unsafe fn new(target: &'a WriteTarget<'a, T>, begin: Vec<u32>, end: Vec<u32>) -> Self {
        assert!(begin.len() == end.len() && end.iter().all(|end| *end as usize <= target.slots.len()));
        Self { target, next: begin.clone(), begin, end }
    }

    /// Writes the next entry of a destination.
    #[inline(always)]
    pub fn push(&mut self, destination: usize, value: T) {
        let at = self.next[destination];
        self.write(destination, at, value);
        self.next[destination] = at + 1;
    }

    /// Writes the entry at a place of a destination, which is not before its range.
    #[inline(always)]
    fn write(&self, destination: usize, at: u32, value: T) {
        assert!(at < self.end[destination], "a source answered differently the second time");
        // SAFETY: `begin <= at < end <= len`, and this range is written by us alone.
        unsafe { (*self.target.slots[at as usize].get()).write(value) };
    }

    /// Checks that every range is full, so that its array is initialised.
    pub fn finish(self) {
        assert!(self.next == self.end, "a source answered differently the second time");
    }
}

/// [`Ranges`] of tuples, written by lines.
pub struct CacheLines<'a, K: Key> {
    ranges: Ranges<'a, Tuple<K>>,
    lines: Vec<CacheLine>,
}

impl<'a, K: Key> CacheLines<'a, K> {
    /// Tuples of a line: a power of two, as the size of a tuple is.
    const TUPLES: usize = LINE / size_of::<Tuple<K>>();

    pub fn new(ranges: Ranges<'a, Tuple<K>>) -> Self {
        const { assert!(LINE.is_multiple_of(size_of::<Tuple<K>>()) && align_of::<Tuple<K>>() <= 8) };
        let lines = vec![CacheLine([0; LINE / 8]); ranges.next.len()];
        Self { ranges, lines }
    }

    /// Takes the next tuple of a destination; its line leaves when it is full.
    #[inline(always)]
    pub fn push(&mut self, destination: usize, tuple: Tuple<K>) {
        let at = self.ranges.next[destination] as usize;
        self.ranges.next[destination] = at as u32 + 1;
        let line: &mut [Tuple<K>] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut self.lines[destination]));
        line[at % Self::TUPLES] = tuple;
        if at % Self::TUPLES == Self::TUPLES - 1 {
            self.flush(destination, at + 1);
        }
    }

    /// Sends what the line of a destination holds before place `end`: a whole line at once, the parts of a line
    /// that it shares with the destinations around it tuple by tuple.
    #[inline(always)]
    fn flush(&self, destination: usize, end: usize) {
        assert!(end <= self.ranges.end[destination] as usize, "a source answered differently the second time");
        let start = (end - 1) / Self::TUPLES * Self::TUPLES;
        let begin = self.ranges.begin[destination] as usize;
        if begin <= start && end == start + Self::TUPLES {
            self.stream(destination, start..end);
        } else {
            self.copy(destination, start.max(begin)..end);
        }
    }

    /// Sends a whole line past the caches; all its places are within the destination's range.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn stream(&self, destination: usize, places: Range<usize>) {
        use std::arch::x86_64::{__m128i, _mm_stream_si128};
        let line: &[__m128i; LINE / 16] = bytemuck::must_cast_ref(&self.lines[destination]);
        let to = UnsafeCell::raw_get(self.ranges.target.slots[places].as_ptr()).cast::<__m128i>();
        for (at, quarter) in line.iter().enumerate() {
            // SAFETY: the slots of a line, 64 bytes, all within this destination's range, ours alone; arrays start on a
            // line, and the first place is a multiple of its tuples, so they are aligned; SSE2 is part of x86-64.
            unsafe { _mm_stream_si128(to.add(at), *quarter) };
        }
    }

    /// Sends a whole line.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn stream(&self, destination: usize, places: Range<usize>) {
        self.copy(destination, places);
    }

    /// Sends some tuples of a line, at these places, one by one.
    fn copy(&self, destination: usize, places: Range<usize>) {
        let line: &[Tuple<K>] = bytemuck::cast_slice(std::slice::from_ref(&self.lines[destination]));
        for at in places {
            self.ranges.write(destination, at as u32, line[at % Self::TUPLES]);
        }
    }

    /// Sends the lines that are not full and checks that every range is.
    pub fn finish(self) {
        for destination in 0..self.lines.len() {
            let at = self.ranges.next[destination] as usize;
            if !at.is_multiple_of(Self::TUPLES) && at > self.ranges.begin[destination] as usize {
                self.flush(destination, at);
            }
        }
        fence();
        self.ranges.finish();
    }
}

/// Makes streamed lines visible to the threads that learn of them afterwards: such stores are not ordered otherwise.
fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}
