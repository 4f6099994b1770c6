import { parseArgs } from 'node:util'
import { playWebhooks } from './playWebhooks.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
})
const started = performance.now()
const { statuses, signed, asked, findings } = await playWebhooks(Number(values.count), Number(values.seed))
const seconds = (performance.now() - started) / 1000
process.stdout.write(
  `webhooks: ${values.count} from seed ${values.seed}, ${signed} signed, ${asked} of them projected, ` +
    `statuses ${JSON.stringify(statuses)}, ${findings.length} findings, ${seconds.toFixed(1)} s\n`,
)
for (const finding of findings) process.stdout.write(`${finding}\n`)
if (findings.length > 0) process.exitCode = 1
