import { parseArgs } from 'node:util'
import { exploreEvents } from '../../events/exploreEvents.ts'
import { createStories } from '../stories/createStories.ts'
import { describeFinding, explorePairs, exploreSingles, nothingExplored } from './exploreFaults.ts'
import { playStory } from './faultRun.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    faults: { type: 'string', default: '2' },
    every: { type: 'string', default: '1' },
    seed: { type: 'string', default: '0' },
  },
})
const [every, seed] = [Number(values.every), Number(values.seed)]
const what = values.faults === '1' ? 'single faults' : 'pairs of faults'
const pattern = new RegExp(values.only)
let [runs, findings] = [0, 0]
const started = performance.now()

/**
 * `npm run test:faults` and `npm run test:pairs [-- --only PATTERN] [--every N --seed N]`: every fault, or pair of faults, of every story whose
 * name matches, and those of the story of events. With `--every`, pairs of each so many-th first fault; the seed says with which they begin.
 */
for (const story of await createStories((name) => pattern.test(name))) {
  const explored = nothingExplored()
  const { firstAwaits: awaits } = await playStory(story, [], {
    by: 'the same request',
    gap: '+1 min',
    webhooks: 'after',
  })
  if (values.faults === '1') await exploreSingles({ story, awaits, explored })
  else await explorePairs({ story, awaits, explored }, every, seed)
  runs += explored.runs
  findings += explored.findings.size
  process.stdout.write(`${story.name}: ${explored.runs} runs, at most ${explored.mostRepeats} repeats\n`)
  for (const finding of explored.findings.values()) process.stdout.write(`${describeFinding(finding)}\n`)
}

const events = 'facts, events and deliveries'
if (pattern.test(events)) {
  const explored = await exploreEvents({ pairs: values.faults !== '1' && { every } })
  runs += explored.runs
  findings += explored.findings.length
  process.stdout.write(`${[`${events}: ${explored.runs} runs`, ...explored.findings].join('\n')}\n`)
}

const seconds = ((performance.now() - started) / 1000).toFixed(0)
process.stdout.write(`${what}: ${runs} runs, ${findings} findings, ${seconds} s\n`)
if (findings > 0) process.exitCode = 1
