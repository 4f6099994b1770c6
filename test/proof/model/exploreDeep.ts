import { parseArgs } from 'node:util'
import { explore } from './explore.ts'
import { assumptions, slotGuards } from './guards/guards.ts'
import { slotProtocol } from './slot/slotProtocol.ts'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '3' },
    hooks: { type: 'string', default: '1' },
    cancels: { type: 'string', default: '1' },
    changes: { type: 'string', default: '0' },
    faults: { type: 'string', default: '2' },
    ticks: { type: 'string', default: '5' },
    hands: { type: 'string', default: '0' },
    limit: { type: 'string', default: '10000000' },
    without: { type: 'string', multiple: true, default: [] },
  },
})
const bounds = {
  workers: Number(values.workers),
  hooks: Number(values.hooks),
  cancels: Number(values.cancels),
  changes: Number(values.changes),
  faults: Number(values.faults),
  ticks: Number(values.ticks),
  hands: Number(values.hands),
}
const removable = [...slotGuards, ...assumptions]
const unknown = values.without.filter((name) => !removable.some((guard) => guard === name))
if (unknown.length > 0) throw new Error(`No such guard: ${unknown.join()}. There are: ${removable.join('; ')}`)
const without = removable.filter((guard) => values.without.includes(guard))
const started = performance.now()
const { violation, ...counts } = explore(slotProtocol(bounds, without), Number(values.limit))
const seconds = ((performance.now() - started) / 1000).toFixed(1)
process.stdout.write(`${JSON.stringify({ ...bounds, without, ...counts, seconds, kind: violation?.kind ?? null })}\n`)
for (const [index, step] of violation?.trace.entries() ?? []) process.stdout.write(`  ${index + 1}. ${step}\n`)
if (violation) process.exitCode = 1
