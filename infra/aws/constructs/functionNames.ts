import type { StageSettings } from '../../data/stages.ts'

/** The function that reads the token key's public half when a stage is deployed. Not in the manifest: only CloudFormation calls it. */
export const publicKeyReader = 'token-public-key'

/** The function that checks new versions. Not in the manifest: only CodeDeploy calls it. */
export const releaseChecker = 'release-check'

/** The name of a function on AWS: its manifest name with the stage before it. */
export function functionName(stage: Pick<StageSettings, 'name'>, name: string): string {
  return `${stage.name}-${name}`
}
