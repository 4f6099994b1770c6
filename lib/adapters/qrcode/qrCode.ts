import { encode } from 'uqr'
import type { QrCode } from '../../authenticators/ports.ts'

/** `QrCode` by uqr. Level M: 15 % of a screen may be dirty. */
export const qrCode: QrCode = (text) => encode(text, { ecc: 'M', border: 0 }).data
