import { connectToStack } from '../local/connectToStack.ts'
import { connectToStage } from './connectToStage.ts'

/** The options that say what a command acts on. */
export const targetOptions = {
  port: { type: 'string' },
  base: { type: 'string' },
  aws: { type: 'boolean', default: false },
  stage: { type: 'string' },
} as const

/** What a command acts on: a local stack, or with `aws` the stage of that name. */
export interface Target {
  readonly port?: string | undefined
  readonly base?: string | undefined
  readonly aws: boolean
  readonly stage?: string | undefined
}

/**
 * Puts the stack or the stage into this process's environment. Import modules that read it only afterwards.
 * @throws Error if `--aws` names no stage, if a stage is named without `--aws`, if no stack answers, or if AWS refuses
 */
export async function connect(target: Target, { quiet = false } = {}): Promise<void> {
  const { aws, stage } = target
  if (aws !== (stage !== undefined))
    throw new Error('--aws and --stage NAME go together, for example --aws --stage prod')
  if (stage === undefined) await connectToStack(target, { quiet })
  else await connectToStage(stage)
}
