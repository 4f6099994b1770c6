import { parseArgs } from 'node:util'
import { exploreOrders, groupsByHand, groupsByInvoice, groupsOf, type Together } from './exploreOrders.ts'

const only = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: {
    'hand-only': only,
    'invoices-only': only,
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '0' },
  },
})
const [byHand, byInvoice] = [!values['invoices-only'], !values['hand-only']]
const [every, seed] = [Number(values.every), Number(values.seed)]
const isPlayed = (_group: Together, index: number) => index % every === seed % every

/**
 * `npm run test:orders [-- --hand-only | --invoices-only] [--every N --seed N]`: everything that a person may do beside every operation, and
 * every two acts on what is sent invoices, in every order of their calls; and every three acts side by side, with at most two preemptions.
 * With `--every`, each so many-th of them; the seed says with which they begin.
 */
const started = performance.now()
const anyOrder = [...(byHand ? groupsByHand() : []), ...(byInvoice ? groupsByInvoice(2) : [])]
const preempted = [...(byHand && byInvoice ? groupsOf(3) : []), ...(byInvoice ? groupsByInvoice(3) : [])]
const explored = [
  ...(await exploreOrders(anyOrder.filter(isPlayed), Number.POSITIVE_INFINITY)),
  ...(await exploreOrders(preempted.filter(isPlayed), 2)),
]
const found = explored.filter(({ finding }) => finding !== null)
for (const { story, acts, hand, finding } of found) {
  const together = hand === undefined ? acts : [...acts, hand]
  process.stdout.write(`${together.join(' beside ')}, in the world of ${story}: ${JSON.stringify(finding, null, 2)}\n`)
}
const schedules = explored.reduce((sum, group) => sum + group.schedules, 0)
const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(`${explored.length} groups, ${schedules} schedules, ${found.length} findings, ${seconds} s\n`)
if (found.length > 0) process.exitCode = 1
