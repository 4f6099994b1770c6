import { parseArgs } from 'node:util'
import { healersOf } from '../healers.ts'
import { createStories } from '../stories/createStories.ts'
import { createRandom } from '../worldTime.ts'
import { describeFinding, type Explored, note } from './exploreFaults.ts'
import { playStory } from './faultRun.ts'
import { type Fault, faultKinds } from './faults.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
})
const count = Number(values.count)
const random = createRandom(Number(values.seed))
const stories = await createStories()
const findings: Explored['findings'] = new Map()
let [runs, met, mostRepeats] = [0, 0, 0]
const started = performance.now()

/** Calls among which the faults of a run are spread: about as many as a run and its repeat make. */
const SPREAD = 16

// A run that ends before its third fault is not counted.
while (met < count) {
  runs += 1
  const story = pick(stories)
  const places = new Set<number>()
  while (places.size < 3) places.add(1 + Math.floor(random() * SPREAD))
  const faults = [...places].map((place): Fault => ({ at: `call ${place}`, kind: pick(faultKinds) }))
  const by = pick(healersOf(story))
  const healing = { by, gap: pick(story.gaps), webhooks: pick(['before', 'after'] as const) }
  const result = await playStory(story, faults, healing, runs)
  if (result.awaits.length >= Math.max(...places)) met += 1
  mostRepeats = Math.max(mostRepeats, result.repeats)
  note({ findings }, { story: story.name, faults, healing, ...result })
}

const seconds = (performance.now() - started) / 1000
const rate = (met / seconds).toFixed(0)
process.stdout.write(
  `triples of faults: ${met} from seed ${values.seed} in ${runs} runs, at most ${mostRepeats} repeats, ` +
    `${findings.size} findings, ${seconds.toFixed(1)} s, ${rate} triples a second\n`,
)
for (const finding of findings.values()) process.stdout.write(`${describeFinding(finding)}\n`)
if (findings.size > 0) process.exitCode = 1

function pick<Value>(all: readonly Value[]): Value {
  const [first] = all
  const chosen = all[Math.floor(random() * all.length)] ?? first
  if (chosen === undefined) throw new Error('There is nothing to choose from')
  return chosen
}
