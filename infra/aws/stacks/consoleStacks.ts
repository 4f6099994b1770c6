import type { App } from 'aws-cdk-lib/core'
import type { StageSettings } from '../../data/stages.ts'
import type { Area } from '../../manifest.ts'
import type { CodeDirectory } from '../bundle/bundle.ts'
import { ApiStack } from './apiStack.ts'
import { ApiStageStack } from './apiStageStack.ts'
import { ConsoleWebStack } from './consoleWebStack.ts'
import { DataStack } from './dataStack.ts'
import { FunctionsStack } from './functionsStack.ts'
import { ObservabilityStack } from './observabilityStack.ts'
import { stackNames } from './stackNames.ts'

/** All stacks of a stage: data, API, the functions of each area, the API's stage, observability, and the console if the stage hosts it. */
export function consoleStacks(app: App, stage: StageSettings, codeDirectory: CodeDirectory) {
  const names = stackNames(stage)
  const { account, region } = stage
  const props = {
    env: { ...(account && { account }), ...(region && { region }) },
    tags: { application: 'console', stage: stage.name },
    // For every stack: if a stack is deleted, the service is down, and its URLs change when it is created again.
    terminationProtection: stage.removal === 'retain',
  }
  const data = new DataStack(app, names.data, stage, props)
  const api = new ApiStack(app, names.api, { ...props, stage, data, codeDirectory })
  const functionsOf = (area: Area) =>
    new FunctionsStack(app, names[area], { ...props, area, stage, data, api, codeDirectory })
  const functions = {
    oauth: functionsOf('oauth'),
    accounts: functionsOf('accounts'),
    billing: functionsOf('billing'),
    organizations: functionsOf('organizations'),
    openapi: functionsOf('openapi'),
  } satisfies Record<Area, FunctionsStack>
  const apiStage = new ApiStageStack(app, names.apiStage, { ...props, stage, api })
  // The queue is in the stack of the schedules, because its policy names their rules.
  const { deadLetters } = functions.billing
  const observability = new ObservabilityStack(app, names.observability, { ...props, stage, data, api, deadLetters })
  const { console } = stage
  const consoleWeb = console && new ConsoleWebStack(app, `${stage.name}-console-web`, { ...props, stage, console, api })
  return { data, api, ...functions, apiStage, observability, ...(consoleWeb && { consoleWeb }) }
}
