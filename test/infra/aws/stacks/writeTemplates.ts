import { MessagePort, workerData } from 'node:worker_threads'
import * as z from 'zod'
import { stageSettings } from '../../../../infra/data/stages.ts'
import { buildStage, findingsOf } from './assembled.ts'

const { port, signal } = z
  .object({ port: z.instanceof(MessagePort), signal: z.instanceof(Int32Array) })
  .parse(workerData)
const question = z.object({ kind: z.enum(['templates', 'findings']), stage: z.unknown() })

function answerOf(message: unknown) {
  const { kind, stage } = question.parse(message)
  const settings = stageSettings.parse(stage)
  return kind === 'templates' ? { templates: buildStage(settings).templates } : { findings: findingsOf(settings) }
}

// In a thread: answers the settings of a stage with its templates, each beside its stack's name, or with the findings of the rule packs, and
// wakes the thread that waits for them.
port.on('message', (message) => {
  try {
    port.postMessage(answerOf(message))
  } catch (error) {
    port.postMessage({ error: String(error) })
  }
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})
