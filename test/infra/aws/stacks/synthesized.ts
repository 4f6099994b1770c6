import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import * as z from 'zod'
import { stackNames } from '../../../../infra/aws/stacks/stackNames.ts'
import { type StageSettings, stageSettings, stages } from '../../../../infra/data/stages.ts'
import { anyTemplate, type ReadTemplate, readerOf, readTemplate } from './templates.ts'

/** A stage with other settings. Throws what the settings' schema throws. */
export function stageWith(changes: Partial<StageSettings> = {}, name = 'dev'): StageSettings {
  return stageSettings.parse({ ...stages[name], ...changes })
}

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'

const canary = 'client_5f0c1a524b0e4a4e9d542f6f8f6f0a01_9c8589018a57479181fe4c455b099bc9'

/** All that a stage may have. To synthesize a stage takes seconds: test files share the few below where they can. */
export const fullStage = stageWith(
  {
    alarmEmail: 'duty@example.com',
    ticketEmail: 'desk@example.com',
    canaryClient: { clientId: canary, organizationId: '5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01' },
    waf: true,
    region: 'us-east-1',
    domain: { name: 'api.example.com', certificateArn },
    backupVaultArn: 'arn:aws:backup:us-east-1:444455556666:backup-vault:copies',
    console: { clientId: 'console', stripePublishableKey: 'pk_test_published' },
    tokenKeyGeneration: 2,
    signingKeyGeneration: 2,
  },
  'prod',
)

/** A stage for development with settings that the others do not have. */
export const changedStage = stageWith({
  logRetentionDays: 90,
  moneyMails: false,
  companySignIn: true,
  removal: 'retain',
  tokenKeyGeneration: 2,
  pwnedPasswords: true,
  releaseDuringFaults: true,
  mail: { ...stageWith().mail, sandbox: true },
})

const keptTemplates = z.array(z.tuple([z.string(), anyTemplate]))

/** Opened by the global set-up. */
const runFolder = z.string().parse(process.env.TEST_RUN_FOLDER)

/** The stage's templates, from another test file of the same run if one has asked for the same settings before. */
function templatesOf(stage: StageSettings): z.infer<typeof keptTemplates> {
  const key = createHash('sha256').update(JSON.stringify(stage)).digest('hex')
  const file = join(runFolder, `stage-${key}.json`)
  if (!existsSync(file)) alone(file, () => write(file, templatesAnswer.parse(askThread('templates', stage)).templates))
  return keptTemplates.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** Moves a whole file into its place, as others may read it at any time. */
function write(file: string, content: unknown): void {
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(content))
  renameSync(`${file}.${process.pid}`, file)
}

/** Makes a file while no other worker of this run does, which is waited for instead. If that one fails, or ends, the file is made here. */
function alone(file: string, make: () => void): void {
  const lock = `${file}.lock`
  for (let waited = 0; waited < LONGEST; waited += POLL) {
    try {
      mkdirSync(lock)
      break
    } catch {
      Atomics.wait(sleeper, 0, 0, POLL)
    }
    if (existsSync(file)) return
  }
  try {
    if (!existsSync(file)) make()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** What the rule packs find in a stage, each finding with its construct. */
export function findingsIn(stage: StageSettings): string[] {
  return z.object({ findings: z.array(z.string()) }).parse(askThread('findings', stage)).findings
}

const LONGEST = 120_000
const POLL = 50
/** The CDK keeps what it has built, about 20 MB of each stage: two hundred stages are more than a process may have. */
const STAGES_OF_A_THREAD = 30
const sleeper = new Int32Array(new SharedArrayBuffer(4))

const templatesAnswer = z.object({ templates: keptTemplates })
const failure = z.object({ error: z.string() })

interface Thread {
  readonly port: MessagePort
  readonly signal: Int32Array
  readonly end: () => void
  /** How many stages it was asked for. */
  asked: number
}

/** Of one run: if Jest watches, the sources of the next run may be others. */
const THREAD = `thread of the CDK for ${runFolder}`
/** `plainGlobals.cjs` gives every test file of a process the same. */
const leftOver: Map<string, Thread> = Reflect.get(globalThis, Symbol.for('left by test files'))

/**
 * In a thread of its own, which the next test files of this process use too. Its second stage takes half as long as its first, and what Jest
 * loads into its contexts, it runs three times slower.
 * @throws what the CDK throws
 */
function askThread(kind: 'templates' | 'findings', stage: StageSettings): unknown {
  const thread = leftOver.get(THREAD) ?? startThread()
  const { port, signal } = thread
  thread.asked += 1
  Atomics.store(signal, 0, 0)
  port.postMessage({ kind, stage })
  if (Atomics.wait(signal, 0, 0, 300_000) === 'timed-out') {
    // It would answer the next question with this answer.
    leftOver.delete(THREAD)
    throw new Error('The CDK takes longer than five minutes')
  }
  const answered: unknown = receiveMessageOnPort(port)?.message
  if (thread.asked === STAGES_OF_A_THREAD) {
    thread.end()
    leftOver.delete(THREAD)
  }
  const failed = failure.safeParse(answered).data
  if (failed) throw new Error(failed.error)
  return answered
}

function startThread(): Thread {
  const { port1, port2 } = new MessageChannel()
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(new URL('writeTemplates.ts', import.meta.url), {
    workerData: { port: port2, signal },
    transferList: [port2],
  })
  const thread = { port: port1, signal, end: () => void worker.terminate(), asked: 0 }
  worker.unref()
  port1.unref()
  leftOver.set(THREAD, thread)
  return thread
}

/**
 * The templates of a stage's stacks. Of `service`: everything between data and observability, read as if it were one stack; which resource
 * is in which stack is not its readers' matter.
 */
export function synthesizeStage(stage: StageSettings = stageWith()) {
  const { data, observability, ...service } = stackNames(stage)
  const read = readerOf(templatesOf(stage))
  const parts = Object.entries(service).map(([name, stackName]) => [name, read(stackName)] as const)
  const first = read(data)
  const last = read(observability)
  return {
    data: first,
    service: joined(parts.map(([, part]) => part)),
    observability: last,
    /** Each by its name in `stackNames`. */
    stacks: [['data', first], ...parts, ['observability', last]] as const,
  }
}

/** Templates as one. A name must not be in two of them: the one would hide the other. */
function joined(parts: readonly ReadTemplate[]): ReadTemplate {
  const all = (key: 'Resources' | 'Outputs') => {
    const entries = parts.flatMap(({ json }) => Object.entries(z.record(z.string(), z.unknown()).parse(json[key])))
    const record = Object.fromEntries(entries)
    if (Object.keys(record).length < entries.length) throw new Error(`Two stacks have ${key} of one name`)
    return record
  }
  const json = anyTemplate.parse({ Resources: all('Resources'), Outputs: all('Outputs') })
  return readTemplate(json, json)
}
