// Bisection.
#pragma once
#include "platform.h"

// The first of `len` places that `before` does not hold for, given that it holds for none after it.
template <class Before> DEVICE u32 first_not(u32 len, Before before) {
    u32 low = 0, high = len;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (before(middle)) low = middle + 1;
        else high = middle;
    }
    return low;
}
