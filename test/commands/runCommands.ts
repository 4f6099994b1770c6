import { parseArgs } from 'node:util'
import { figures, playSequences } from './playSequences.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const started = performance.now()
const seed = Number(values.seed)
const played = await playSequences(Number(values.count), seed)
const seconds = (performance.now() - started) / 1000
process.stdout.write(`${figures(played, seed)}, ${seconds.toFixed(1)} s\n`)
if (played.failure !== null) {
  process.stdout.write(`${played.failure}\n`)
  process.exitCode = 1
}
