import { parseArgs } from 'node:util'
import { exploreOrders, groupsByHand, groupsOf } from './exploreOrders.ts'

const { values } = parseArgs({ options: { 'hand-only': { type: 'boolean', default: false } } })

/**
 * `npm run test:orders [-- --hand-only]`: everything that a person may do beside every operation, in every order of their calls; and every
 * three acts side by side, with at most two preemptions.
 */
const started = performance.now()
const explored = await exploreOrders(groupsByHand(), Number.POSITIVE_INFINITY)
if (!values['hand-only']) explored.push(...(await exploreOrders(groupsOf(3), 2)))
const found = explored.filter(({ finding }) => finding !== null)
for (const { story, acts, hand, finding } of found) {
  const together = hand === undefined ? acts : [...acts, hand]
  process.stdout.write(`${together.join(' beside ')}, in the world of ${story}: ${JSON.stringify(finding, null, 2)}\n`)
}
const schedules = explored.reduce((sum, group) => sum + group.schedules, 0)
const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(`${explored.length} groups, ${schedules} schedules, ${found.length} findings, ${seconds} s\n`)
if (found.length > 0) process.exitCode = 1
