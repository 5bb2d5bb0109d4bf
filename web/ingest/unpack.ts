/** Samples are stored gzip-compressed, but some hosts serve them decompressed: the content decides. */

const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

export async function gunzip(blob: Blob): Promise<Blob> {
  const head = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  if (!isGzip(head)) return blob
  return new Response(blob.stream().pipeThrough(new DecompressionStream('gzip'))).blob()
}
