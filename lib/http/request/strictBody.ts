import * as z from 'zod/mini'
import type { Contract } from '../contract.ts'

/** A contract whose body, where it has one, is a JSON object. */
export interface JsonContract extends Contract {
  body?: z.ZodMiniObject
}

/** The contract with a body that refuses members it does not list (`extra_forbidden`): a misspelt option must not be ignored. */
export function withStrictBody<C extends JsonContract>(contract: C): C
export function withStrictBody(contract: JsonContract): JsonContract {
  return contract.body === undefined ? contract : { ...contract, body: z.strictObject(contract.body.shape) }
}
