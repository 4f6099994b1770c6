import * as z from 'zod'
import type { Key, KeyUsage } from './keyStore.ts'
import { KmsError } from './kmsError.ts'

/** Takes the parsed JSON of a request and returns the JSON of its answer. Throws KmsError. */
export type Operation = (request: unknown) => object

/** An operation whose request is checked first: a request of the wrong shape is a ValidationException. */
export function operation<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>) => object,
): Operation {
  return (request) => {
    const parsed = schema.safeParse(request)
    if (parsed.success) return run(parsed.data)
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new KmsError('ValidationException', `${problems.length} validation error detected: ${problems.join('; ')}`)
  }
}

/** A base64 member of `min` to `max` bytes, as a Buffer. */
export const blob = (min: number, max: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine((bytes) => bytes.length >= min && bytes.length <= max, `length must be between ${min} and ${max} bytes`)

export const keyIdentifier = z.string().min(1).max(2048)
export const encryptionContext = z.record(z.string(), z.string()).default({})

/** Throws InvalidKeyUsageException, DisabledException or KMSInvalidStateException unless the key is enabled for this usage. */
export function assertUsable(key: Key, usage: KeyUsage): void {
  if (key.keyUsage !== usage) {
    throw new KmsError('InvalidKeyUsageException', `${key.arn} key usage is ${key.keyUsage} which is not valid here.`)
  }
  if (key.state === 'Disabled') throw new KmsError('DisabledException', `${key.arn} is disabled.`)
  assertNotPendingDeletion(key)
}

/** Throws KMSInvalidStateException for a key whose deletion is scheduled. */
export function assertNotPendingDeletion(key: Key): void {
  if (key.state === 'PendingDeletion') throw new KmsError('KMSInvalidStateException', `${key.arn} is pending deletion.`)
}
