//! The vectors of each word, one for every instruction set.

#[cfg(target_arch = "x86_64")]
use super::avx2::Ymms;
#[cfg(target_arch = "x86_64")]
use super::avx512::Zmm;
use super::plain::Plain;
use super::vector::Vectors;

macro_rules! vectors {
    ($word:ty) => {
        impl Vectors for $word {
            type Plain = Plain<$word>;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = Ymms<$word>;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = Zmm<$word>;
        }
    };
}
vectors!(u16);
vectors!(u32);
vectors!(u64);
