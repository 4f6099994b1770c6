import type { KeySpec } from './keyStore.ts'

/** What keys of each spec sign with (AWS KMS API Reference, `GetPublicKey`). Of RSA, the emulator signs with the first only. */
export const signingAlgorithms = {
  ECC_NIST_P256: ['ECDSA_SHA_256'],
  RSA_2048: [
    'RSASSA_PKCS1_V1_5_SHA_256',
    'RSASSA_PKCS1_V1_5_SHA_384',
    'RSASSA_PKCS1_V1_5_SHA_512',
    'RSASSA_PSS_SHA_256',
    'RSASSA_PSS_SHA_384',
    'RSASSA_PSS_SHA_512',
  ],
} as const satisfies Partial<Record<KeySpec, readonly string[]>>
