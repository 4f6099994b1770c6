import type { StageSettings } from '../../data/stages.ts'
import type { Area } from '../../manifest.ts'

/** The names of a stage's stacks, in deployment order. */
export function stackNames({ name, console }: StageSettings) {
  return {
    data: `${name}-console-data`,
    api: `${name}-console-api`,
    oauth: `${name}-console-oauth`,
    accounts: `${name}-console-accounts`,
    billing: `${name}-console-billing`,
    organizations: `${name}-console-organizations`,
    company: `${name}-console-company`,
    webhooks: `${name}-console-webhooks`,
    openapi: `${name}-console-openapi`,
    apiStage: `${name}-console-api-stage`,
    observability: `${name}-console-observability`,
    ...(console && { consoleWeb: `${name}-console-web` }),
  } as const satisfies Record<Area, string> & Record<string, string>
}
