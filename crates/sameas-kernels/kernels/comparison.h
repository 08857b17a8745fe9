// How a value must stand to a threshold, numbered as the host numbers it.
#pragma once
#include "platform.h"

enum Comparison : u32 { COMPARE_EQUAL, COMPARE_LESS, COMPARE_LESS_EQUAL, COMPARE_GREATER, COMPARE_GREATER_EQUAL };

DEVICE bool compares(u32 comparison, double value, double threshold) {
    switch (comparison) {
        case COMPARE_EQUAL: return value == threshold;
        case COMPARE_LESS: return value < threshold;
        case COMPARE_LESS_EQUAL: return value <= threshold;
        case COMPARE_GREATER: return value > threshold;
        default: return value >= threshold;
    }
}
