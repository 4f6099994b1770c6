import { parseArgs } from 'node:util'
import { createStories } from './createStories.ts'
import { describeFinding, explorePairs, exploreSingles, nothingExplored } from './exploreFaults.ts'
import { playStory } from './faultRun.ts'

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, faults: { type: 'string', default: '2' } },
})
const [explore, what] = values.faults === '1' ? [exploreSingles, 'single faults'] : [explorePairs, 'pairs of faults']
const pattern = new RegExp(values.only)
let [runs, findings] = [0, 0]
const started = performance.now()

/** `npm run test:faults` and `npm run test:pairs [-- --only PATTERN]`: every fault, or pair of faults, of every story whose name matches. */
for (const story of await createStories((name) => pattern.test(name))) {
  const explored = nothingExplored()
  const { firstAwaits } = await playStory(story, [], { by: 'the same request', gap: '+1 min', webhooks: 'after' })
  await explore(story, firstAwaits, explored)
  runs += explored.runs
  findings += explored.findings.size
  process.stdout.write(`${story.name}: ${explored.runs} runs, at most ${explored.mostRepeats} repeats\n`)
  for (const finding of explored.findings.values()) process.stdout.write(`${describeFinding(finding)}\n`)
}

const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(`${what}: ${runs} runs, ${findings} findings, ${seconds} s\n`)
if (findings > 0) process.exitCode = 1
