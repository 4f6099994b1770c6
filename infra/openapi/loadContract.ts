import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import type { FunctionRow } from '../manifest.ts'

const contractModule = z.object({
  contract: z.custom<Contract>((value) => typeof value === 'object' && value !== null && 'responses' in value),
})

/** The contract of a row's function. Fails if `functions/<name>/contract.ts` is missing or is not the contract of an endpoint. */
export async function loadContract({ name }: Pick<FunctionRow, 'name'>): Promise<Contract> {
  const module: unknown = await import(new URL(`../../functions/${name}/contract.ts`, import.meta.url).href)
  return contractModule.parse(module).contract
}
