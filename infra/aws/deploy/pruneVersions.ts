import * as z from 'zod'
import type { StageSettings } from '../../data/stages.ts'
import { manifest } from '../../manifest.ts'
import { functionName, publicKeyReader, releaseChecker } from '../constructs/functionNames.ts'
import type { RunAws } from './awsCommand.ts'
import { readIfThere } from './deployedStage.ts'

/** How many versions of a function stay: the current version, and two to return to. */
const KEPT = 3

const versions = z.object({ Versions: z.array(z.object({ Version: z.string() })) })
const aliases = z.object({
  Aliases: z.array(
    z.object({
      FunctionVersion: z.string(),
      RoutingConfig: z.object({ AdditionalVersionWeights: z.record(z.string(), z.number()) }).nullish(),
    }),
  ),
})

/**
 * Deletes old versions of a stage's functions, which AWS keeps otherwise, and counts them towards the 75 GB of a region's code. The three newest stay,
 * and each version that an alias leads to. Returns what was deleted, as `<function>:<version>`. If AWS fails, throws; the next release goes on.
 */
export function pruneVersions(stage: StageSettings, aws: RunAws): string[] {
  const names = [...manifest.map(({ name }) => name), releaseChecker, publicKeyReader]
  return names.flatMap((name) => pruneFunction(functionName(stage, name), aws))
}

function pruneFunction(name: string, aws: RunAws): string[] {
  const of = ['--function-name', name]
  const listed = readIfThere(aws, 'lambda', 'list-versions-by-function', ...of)
  if (listed === undefined) return []
  const inService = aliases
    .parse(JSON.parse(aws('lambda', 'list-aliases', ...of, '--output', 'json')))
    .Aliases.flatMap(({ FunctionVersion, RoutingConfig }) => [
      FunctionVersion,
      ...Object.keys(RoutingConfig?.AdditionalVersionWeights ?? {}),
    ])
  const numbers = versions
    .parse(listed)
    .Versions.flatMap(({ Version }) => (/^\d+$/.test(Version) ? [Number(Version)] : []))
    .toSorted((a, b) => b - a)
  const old = numbers.slice(KEPT).filter((version) => !inService.includes(`${version}`))
  for (const version of old) aws('lambda', 'delete-function', ...of, '--qualifier', `${version}`)
  return old.map((version) => `${name}:${version}`)
}
