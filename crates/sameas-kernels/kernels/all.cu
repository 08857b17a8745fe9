// The one translation unit of the kernels: every operation is included here and becomes part of the one binary.
#include "by_value.cu"
#include "closure_bits.cu"
#include "components.cu"
#include "edit_join.cu"
#include "equi_join.cu"
#include "graph.cu"
#include "heads.cu"
#include "neighbourhood.cu"
#include "pair_list.cu"
#include "pair_order.cu"
#include "part.cu"
#include "reach.cu"
#include "relation_carried.cu"
#include "relation_rounds.cu"
#include "set_join.cu"
#include "text_join.cu"
#include "text_planes.cu"
#include "tiles.cu"
#include "verify.cu"

// The layouts are as Rust has them.
#include "layout_checks.h"

#ifdef SAMEAS_HOST
// The launcher names this, so that the linker keeps the kernels, which register themselves when the program starts.
extern "C" const int sameas_host_kernels = 1;
#endif
