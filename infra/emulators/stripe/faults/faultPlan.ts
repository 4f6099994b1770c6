import { createHash } from 'node:crypto'
import * as z from 'zod'
import { type Fault, faultMatches, faultSchema } from './faults.ts'

/** The faults a plan draws from, each a scripted fault under a name. */
const planned = {
  delay: { kind: 'delay' },
  saved_500: { kind: 'status', status: 500, saved: true },
  saved_500_effect: { kind: 'status', status: 500, saved: true, effect: true },
  rate_limit: { kind: 'status', status: 429 },
  drop_before: { kind: 'drop_before' },
  drop_after: { kind: 'drop_after' },
} as const

const names = ['delay', 'saved_500', 'saved_500_effect', 'rate_limit', 'drop_before', 'drop_after'] as const

/** A plan of faults from a seed: when a call matches, it meets a fault of `kinds` with probability `rate`, at most `times` in all. */
export const faultPlanSchema = z.strictObject({
  seed: z.int(),
  rate: z.number().min(0).max(1),
  method: z.string().toUpperCase().default('*'),
  path: z.string().default('/v1/*'),
  kinds: z
    .array(z.enum(names))
    .min(1)
    .default([...names]),
  times: z.int().min(1).optional(),
  delay_ms: z.int().min(0).max(600_000).default(200),
})

/** A checked plan. */
export type FaultPlan = z.output<typeof faultPlanSchema>

/** A running plan and the faults it has planted so far: the `call`th call of an endpoint (from 1) met `kind`. */
export interface FaultPlanReport extends FaultPlan {
  planted: { endpoint: string; call: number; kind: (typeof names)[number] }[]
}

/** Two numbers in [0, 1) that depend on the text alone. */
function chances(text: string): [number, number] {
  const digest = createHash('sha256').update(text).digest()
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32]
}

/**
 * Starts a plan. What the nth call of an endpoint meets depends on the seed, the endpoint and n alone, so the same seed gives the same
 * faults whatever ids are in the paths and however calls of different endpoints interleave.
 */
export function startFaultPlan(plan: FaultPlan) {
  const calls = new Map<string, number>()
  const planted: FaultPlanReport['planted'] = []
  return {
    report: (): FaultPlanReport => ({ ...plan, planted }),
    draw(method: string, path: string, endpoint: string): Fault | undefined {
      if (!faultMatches(plan, method, path)) return undefined
      const name = `${method} ${endpoint}`
      const call = (calls.get(name) ?? 0) + 1
      calls.set(name, call)
      const [chance, choice] = chances(`${plan.seed} ${name} ${call}`)
      const kind = plan.kinds[Math.floor(choice * plan.kinds.length)]
      if (chance >= plan.rate || kind === undefined || planted.length >= (plan.times ?? Number.POSITIVE_INFINITY))
        return undefined
      planted.push({ endpoint: name, call, kind })
      return faultSchema.parse({ method, path, delay_ms: plan.delay_ms, ...planned[kind] })
    },
  }
}
