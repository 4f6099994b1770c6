import { exploreOrders } from './exploreOrders.ts'

/** `npm run test:orders`: every three acts side by side, in every order of their calls with at most two preemptions. */
const started = performance.now()
const explored = await exploreOrders(3, 2)
const found = explored.filter(({ finding }) => finding !== null)
for (const { story, acts, finding } of found) {
  process.stdout.write(`${acts.join(' beside ')}, in the world of ${story}: ${JSON.stringify(finding, null, 2)}\n`)
}
const schedules = explored.reduce((sum, group) => sum + group.schedules, 0)
const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(`${explored.length} groups, ${schedules} schedules, ${found.length} findings, ${seconds} s\n`)
if (found.length > 0) process.exitCode = 1
