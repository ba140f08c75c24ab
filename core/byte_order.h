/* Numbers in memory: from this machine's order to little- or big-endian, or back. */
#ifndef WEIR_BYTE_ORDER_H
#define WEIR_BYTE_ORDER_H
#include <stdint.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
static inline uint16_t le16(uint16_t x) { return x; }
static inline uint32_t le32(uint32_t x) { return x; }
static inline uint64_t le64(uint64_t x) { return x; }
static inline uint32_t be32(uint32_t x) { return __builtin_bswap32(x); }
#else
static inline uint16_t le16(uint16_t x) { return __builtin_bswap16(x); }
static inline uint32_t le32(uint32_t x) { return __builtin_bswap32(x); }
static inline uint64_t le64(uint64_t x) { return __builtin_bswap64(x); }
static inline uint32_t be32(uint32_t x) { return x; }
#endif

#endif
