import type { App } from 'aws-cdk-lib/core'
import type { StageSettings } from '../data/stages.ts'
import type { CodeDirectory } from './bundle.ts'
import { DataStack } from './dataStack.ts'
import { ServiceStack } from './functionsStack.ts'
import { ObservabilityStack } from './observabilityStack.ts'

/** The names of a stage's stacks, in the order in which they are deployed. */
export function stackNames({ name }: StageSettings) {
  return {
    data: `${name}-console-data`,
    service: `${name}-console`,
    observability: `${name}-console-observability`,
  } as const
}

/** A stage: its data, the service on it, and what watches both. */
export function consoleStacks(app: App, stage: StageSettings, codeDirectory: CodeDirectory) {
  const names = stackNames(stage)
  const { account, region } = stage
  const props = {
    env: { ...(account && { account }), ...(region && { region }) },
    tags: { application: 'console', stage: stage.name },
  }
  const terminationProtection = stage.removal === 'retain'
  const data = new DataStack(app, names.data, stage, { ...props, terminationProtection })
  const service = new ServiceStack(app, names.service, { ...props, stage, data, codeDirectory })
  const observability = new ObservabilityStack(app, names.observability, { ...props, stage, data, service })
  return { data, service, observability }
}
