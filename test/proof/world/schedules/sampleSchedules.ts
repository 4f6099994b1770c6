import { parseArgs } from 'node:util'
import { handNames } from '../../commands/dashboard.ts'
import { type Fault, faultKinds } from '../faults/faults.ts'
import type { Choose } from '../orders/gate.ts'
import { createStories } from '../stories/createStories.ts'
import type { World } from '../world.ts'
import { createRandom } from '../worldTime.ts'
import { acts } from './scheduleActs.ts'
import { playSchedule } from './schedulePlay.ts'
import { settings, settingsByHand, settingsByInvoice } from './scheduleSettings.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const [count, firstSeed] = [Number(values.count), Number(values.seed)]
const stories = new Map((await createStories()).map((story) => [story.name, story]))
const findings = new Map<string, { text: string; steps: number }>()
let [faulty, byHand, calls] = [0, 0, 0]
const started = performance.now()

/** Calls among which the fault of a run falls: about as many as two operations and their healing make. */
const SPREAD = 24
/** Milliseconds that may pass before a call: mostly none, now and then more than a second, seldom more than a lease. */
const pauses = [...Array<number>(80).fill(0), ...Array<number>(14).fill(700), ...Array<number>(5).fill(3000), 46_000]

// Every run has a seed of its own, so that a finding is played again by `--seed <its seed> --count 1`.
for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
  const random = createRandom(seed)
  const pick = <Value>(all: readonly Value[]): Value => {
    const chosen = all[Math.floor(random() * all.length)]
    if (chosen === undefined) throw new Error('There is nothing to choose from')
    return chosen
  }
  // In every fourth run a person changes something as well, and nothing fails.
  const hand = seed % 4 === 0 ? pick(handNames) : undefined
  const setting = pick(hand ? settingsByHand : [...settings, ...settingsByInvoice])
  const story = stories.get(setting.story)
  if (!story) throw new Error(`There is no story ${setting.story}`)
  const names = Array.from({ length: pick(hand ? [1, 2, 3] : [2, 3, 4]) }, () => pick(setting.names))
  const fault: Fault = { at: `call ${1 + Math.floor(random() * SPREAD)}`, kind: pick(faultKinds) }
  const faults = values.faults && !hand && random() < 0.5 ? [fault] : []
  const choose = ({ clock }: World): Choose => {
    return (ready) => {
      clock.advance(pick(pauses))
      return pick(ready)
    }
  }

  const chosen = names.map((name) => acts[name])
  const { broken, trace } = await playSchedule({ story, acts: chosen, choose, faults, seed, ...(hand && { hand }) })
  faulty += faults.length
  byHand += hand ? 1 : 0
  calls += trace.length
  if (broken.length === 0) continue
  const key = `${setting.story}: ${broken.join('; ').replace(/\b(sub|in|pi)_\w+/g, '$1')}`
  const failed = faults.map(({ at, kind }) => `, ${at} ${kind}`).join('')
  const text = [
    `--seed ${seed}: ${setting.story}; ${[...names, ...(hand ? [hand] : [])].join(' beside ')}${failed}`,
    ...broken,
    ...trace,
  ].join('\n  ')
  const known = findings.get(key)
  if (!known || known.steps > trace.length) findings.set(key, { text, steps: trace.length })
}

const seconds = (performance.now() - started) / 1000
process.stdout.write(
  `random schedules: ${count} from seed ${firstSeed}, ${faulty} with a fault, ${byHand} with a change by hand, ${calls} steps, ` +
    `${findings.size} findings, ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} schedules a second\n`,
)
for (const { text } of findings.values()) process.stdout.write(`${text}\n`)
if (findings.size > 0) process.exitCode = 1
