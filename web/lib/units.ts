/**
 * Branded numbers, so that nanoseconds and sectors cannot be confused. A brand costs nothing at run time; arithmetic
 * yields a plain number, which the constructors below brand again.
 */
declare const unit: unique symbol
type Quantity<U extends string> = number & { readonly [unit]: U }

/** Nanoseconds since the first event of the trace; a float, exact to 104 days. */
export type Ns = Quantity<'ns'>
/** A 512-byte sector address or count, whatever the device's block size; exact to 2^53. */
export type Sector = Quantity<'sector'>
export type Bytes = Quantity<'byte'>

export const ns = (n: number): Ns => n as Ns
export const sector = (n: number): Sector => n as Sector

export const SECTOR_BYTES = 512
