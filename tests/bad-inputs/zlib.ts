/** Node's zlib, and the checksum of zip and PNG, which Node 20 has not. */
export { deflateRawSync, gzipSync } from 'node:zlib'

export function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return ~crc >>> 0
}
