import { MessagePort, workerData } from 'node:worker_threads'
import * as z from 'zod'
import { stageSettings } from '../../../../infra/data/stages.ts'
import { buildStage } from './assembled.ts'

const { port, signal } = z
  .object({ port: z.instanceof(MessagePort), signal: z.instanceof(Int32Array) })
  .parse(workerData)

// In a thread: answers the settings of a stage with its templates, each beside its stack's name, and wakes who waits for them.
port.on('message', (stage) => {
  try {
    port.postMessage({ templates: buildStage(stageSettings.parse(stage)).templates })
  } catch (error) {
    port.postMessage({ error: String(error) })
  }
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})
