//! Addresses of device memory that know what lies there.

use std::fmt;
use std::marker::PhantomData;

use bytemuck::{NoUninit, Zeroable};

/// What an address points to whose type depends on the kernel: `void` in C++.
#[derive(Debug)]
pub enum Untyped {}

/// The address of values on a device, or null.
///
/// It can be copied to a device but not made from bytes: all addresses but null come from buffers.
#[repr(transparent)]
pub struct DevicePtr<T> {
    address: u64,
    of: PhantomData<fn() -> T>,
}

impl<T> DevicePtr<T> {
    /// No address.
    pub const NULL: Self = Self { address: 0, of: PhantomData };

    /// The address of values of this type.
    ///
    /// # Safety
    /// It is zero, or memory that kernels may use as these values for as long as they are given the address.
    pub const unsafe fn new(address: u64) -> Self {
        Self { address, of: PhantomData }
    }

    /// Whether it is null.
    pub const fn is_null(self) -> bool {
        self.address == 0
    }

    /// For the functions of C: the host can read from there only where device memory is host memory.
    pub const fn as_ptr(self) -> *mut T {
        self.address as *mut T
    }

    /// For kernels that know the type by their name.
    pub const fn untyped(self) -> DevicePtr<Untyped> {
        DevicePtr { address: self.address, of: PhantomData }
    }
}

impl<T> Clone for DevicePtr<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DevicePtr<T> {}

impl<T> Default for DevicePtr<T> {
    fn default() -> Self {
        Self::NULL
    }
}

impl<T> fmt::Debug for DevicePtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.address)
    }
}

// SAFETY: zero is null.
unsafe impl<T> Zeroable for DevicePtr<T> {}
// SAFETY: eight bytes, all of them the address.
unsafe impl<T: 'static> NoUninit for DevicePtr<T> {}
