import { parseArgs } from 'node:util'
import { handNames } from './dashboard.ts'
import { figures, playSequences } from './playSequences.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    dashboard: { type: 'boolean', default: false },
    invoices: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const started = performance.now()
const seed = Number(values.seed)
const hands = values.dashboard ? handNames : []
const { invoices } = values
const played = await playSequences(Number(values.count), seed, { hands, invoices })
const seconds = (performance.now() - started) / 1000
if (values.json) process.stdout.write(JSON.stringify(played))
else {
  process.stdout.write(`${figures(played, seed)}, ${seconds.toFixed(1)} s\n${played.failure ?? ''}\n`)
  if (played.failure !== null) process.exitCode = 1
}
