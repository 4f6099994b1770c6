import { encryptionOperations } from './encryptionOperations.ts'
import { keyOperations } from './keyOperations.ts'
import { createKeyStore, type KeyDescription } from './keyStore.ts'
import { KmsError } from './kmsError.ts'
import type { Operation } from './operation.ts'
import { signingOperations } from './signingOperations.ts'

/**
 * AWS KMS without a network: operation name and request in, answer out, errors as KmsError with the names AWS gives them.
 * Source: AWS KMS API Reference. `now` is Unix time in milliseconds and only dates the metadata.
 */
export function createKmsCore(options: { seed: string; keys: readonly KeyDescription[]; now?: () => number }) {
  const now = options.now ?? Date.now
  const store = createKeyStore({ seed: options.seed, keys: options.keys, now })
  const operations = new Map<string, Operation>(
    Object.entries({ ...keyOperations(store, now), ...encryptionOperations(store), ...signingOperations(store) }),
  )

  return {
    /** Runs one operation. Throws KmsError; an unknown name is UnknownOperationException. */
    handle(name: string, request: unknown): object {
      const run = operations.get(name)
      if (run === undefined) throw new KmsError('UnknownOperationException')
      return run(request)
    },
  }
}

export type KmsCore = ReturnType<typeof createKmsCore>
