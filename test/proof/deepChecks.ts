import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What a check explored, and what it found. */
export interface Counts {
  readonly cases: number
  readonly findings: number
}

/** A check that is too long for `npm test`. */
export interface DeepCheck {
  readonly name: string
  /** What `cases` counts. */
  readonly unit: string
  /** Arguments of Node, in the project's folder. The seed decides what a sample contains. */
  readonly command: (seed: number) => readonly string[]
  /** Variables that it reads. */
  readonly env?: (seed: number) => Readonly<Record<string, string>>
  /** Reads the output. Returns undefined if the program ended before it counted. */
  readonly count: (output: string) => Counts | undefined
  /** Why this machine cannot run it. */
  readonly missing?: () => string | undefined
}

const jest = (...args: string[]) => ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--ci', ...args]

function countTests(output: string): Counts | undefined {
  const [line = '', total] = /^Tests: .*?(\d+) total/m.exec(output) ?? []
  if (total === undefined) return undefined
  const skipped = Number(/(\d+) skipped/.exec(line)?.[1] ?? 0)
  // A file that does not load has no test that fails.
  const failedFiles = Number(/^Test Suites: (\d+) failed/m.exec(output)?.[1] ?? 0)
  return {
    cases: Number(total) - skipped,
    findings: Math.max(failedFiles, Number(/(\d+) failed/.exec(line)?.[1] ?? 0)),
  }
}

/** Reads a line that names how many there were, and how many findings. */
const countLine = (pattern: RegExp) => (output: string) => {
  const [, cases, findings] = pattern.exec(output) ?? []
  return cases === undefined ? undefined : { cases: Number(cases), findings: Number(findings) }
}

/** Counts lines by what they say. */
const countLines = (done: RegExp, failed: RegExp) => (output: string) => {
  const findings = output.match(failed)?.length ?? 0
  return { cases: (output.match(done)?.length ?? 0) + findings, findings }
}

function countSequences(output: string): Counts | undefined {
  const [, cases] = /^(\d+) sequences/m.exec(output) ?? []
  return cases === undefined ? undefined : { cases: Number(cases), findings: /^seed \d+, after/m.test(output) ? 1 : 0 }
}

const commands = (count: string, ...flags: string[]) => {
  return (seed: number) => ['test/proof/commands/runCommands.ts', '--count', count, '--seed', `${seed}`, ...flags]
}

function hasPython(): string | undefined {
  return spawnSync('python3', ['--version']).status === 0 ? undefined : 'no Python'
}

/** Everything that `npm run check:deep` runs, in this order. Samples are as large as two hours on two cores allow together. */
export const deepChecks: readonly DeepCheck[] = [
  {
    name: 'tests',
    unit: 'tests',
    command: () => jest('--filter', './test/support/jest/deepTests.cjs'),
    env: (seed) => ({ COMPANY_SEED: `${seed}` }),
    count: countTests,
  },
  {
    name: 'races',
    unit: 'tests',
    command: () => jest('--filter', './test/support/jest/racingTests.cjs'),
    env: () => ({ RACERS: '20' }),
    count: countTests,
  },
  {
    name: 'faults',
    unit: 'runs',
    command: () => ['test/proof/world/faults/playFaults.ts', '--faults', '1'],
    count: countLine(/^single faults: (\d+) runs, (\d+) findings/m),
  },
  {
    name: 'pairs',
    unit: 'runs',
    command: (seed) => ['test/proof/world/faults/playFaults.ts', '--faults', '2', '--every', '8', '--seed', `${seed}`],
    count: countLine(/^pairs of faults: (\d+) runs, (\d+) findings/m),
  },
  {
    name: 'triples',
    unit: 'triples',
    command: (seed) => ['test/proof/world/faults/sampleTriples.ts', '--count', '10000', '--seed', `${seed}`],
    count: countLine(/^triples of faults: (\d+) .* (\d+) findings/m),
  },
  {
    name: 'orders',
    unit: 'groups',
    command: (seed) => ['test/proof/world/orders/playOrders.ts', '--every', '4', '--seed', `${seed}`],
    count: countLine(/^(\d+) groups, .* (\d+) findings/m),
  },
  {
    name: 'schedules',
    unit: 'schedules',
    command: (seed) => ['test/proof/world/schedules/sampleSchedules.ts', '--count', '10000', '--seed', `${seed}`],
    count: countLine(/^random schedules: (\d+) .* (\d+) findings/m),
  },
  { name: 'commands', unit: 'sequences', command: commands('2000'), count: countSequences },
  { name: 'commands-invoices', unit: 'sequences', command: commands('1000', '--invoices'), count: countSequences },
  { name: 'commands-dashboard', unit: 'sequences', command: commands('1000', '--dashboard'), count: countSequences },
  {
    name: 'properties',
    unit: 'properties',
    command: () => jest('test/proof/properties'),
    env: (seed) => ({ PROPERTY_RUNS: '5000', PROPERTY_SEED: `${seed}` }),
    count: countTests,
  },
  {
    name: 'fuzz',
    unit: 'requests',
    command: (seed) => ['test/proof/fuzz/fuzzWebhook.ts', '--count', '100000', '--seed', `${seed}`],
    count: countLine(/^webhooks: (\d+) .* (\d+) findings/m),
  },
  {
    name: 'model',
    unit: 'states',
    command: () => ['test/proof/model/exploreDeep.ts', '--limit', '3000000'],
    count(output) {
      const [, states, kind] = /"states":(\d+).*"kind":(null|")/.exec(output) ?? []
      return states === undefined ? undefined : { cases: Number(states), findings: kind === 'null' ? 0 : 1 }
    },
  },
  {
    name: 'guards',
    unit: 'mutants',
    command: (seed) => ['test/proof/mutants/runMutants.ts', '--every', '4', '--seed', `${seed}`],
    count(output) {
      const [, caught, all] = /^(\d+) of (\d+) mutants are caught/m.exec(output) ?? []
      return all === undefined ? undefined : { cases: Number(all), findings: Number(all) - Number(caught) }
    },
  },
  {
    name: 'stripe',
    unit: 'tests',
    command: () => ['infra/emulators/stripe/test/behaviour/run.ts'],
    count: countTests,
  },
  {
    name: 'stripe-spec',
    unit: 'tests',
    // The reporter checks the emulator's answers against the file.
    command: () => jest('infra/emulators/stripe/test'),
    count: countTests,
    missing() {
      const { STRIPE_SPEC } = process.env
      if (!STRIPE_SPEC) return 'STRIPE_SPEC names no file (openapi/spec3.json of github.com/stripe/openapi)'
      return existsSync(STRIPE_SPEC) ? undefined : `no file ${STRIPE_SPEC}`
    },
  },
  {
    name: 'stripe-judges',
    unit: 'judges',
    // A judge whose toolchain is not there is named.
    command: () => ['infra/emulators/stripe/test/judges/runJudges.ts', '--check'],
    count: countLines(/^judge (?!.+: FAILED).+: /gm, /^judge .+: FAILED/gm),
  },
  {
    name: 'dynamodb',
    unit: 'tests',
    command: () => ['test/adapters/dynamodb/runOnDynamoDbLocal.ts'],
    count: countTests,
  },
  {
    name: 'moto',
    unit: 'stacks',
    command: () => ['infra/aws/moto/deployToMoto.ts'],
    count: countLines(/^[\w-]+: \d+ of \d+ resources deployed/gm, /^ {2}NOT MADE/gm),
    missing: hasPython,
  },
  {
    name: 'clients-check',
    unit: 'tools',
    command: () => ['infra/openapi/clientsCheck.ts'],
    count: countLines(/^\S+ \S+: (?!not checked|FAILED)/gm, /^\S+ \S+: FAILED/gm),
  },
  {
    name: 'clients-oauth',
    unit: 'sign-ins',
    command: () => ['test/clients/oauth/runOauthClients.ts'],
    count: countLines(/signed in, refreshed, revoked/g, /FAILED/g),
  },
]
