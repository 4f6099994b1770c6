import * as z from 'zod'
import { type ReadTemplate, reference, type Statement } from './templates.ts'

/** Logical ids end in eight hexadecimal digits that say nothing to a reader, versions in a hash of their function besides. */
function readable(text: string): string {
  return text.replace(/([A-Za-z])[0-9A-F]{8}([0-9a-f]{32})?(?![0-9A-Za-z])/g, '$1')
}

function ofFunction(service: ReadTemplate, role: string): string {
  const lambda = service.lambdas.find(({ Role }) => Role === `${role}.Arn`)
  return lambda?.FunctionName ?? (lambda ? 'CDK’s framework for custom resources' : readable(role))
}

function line({ Action, Resource, Condition }: Statement): string[] {
  const condition = Condition ? ` if ${JSON.stringify(Condition)}` : ''
  return Resource.flatMap((resource) => Action.map((action) => `  ${action} on ${readable(resource)}${condition}`))
}

/** Every role of the service with each action it may do on each resource, one to a line. */
export function renderPermissions(service: ReadTemplate): string {
  const roles = service.resources('AWS::IAM::Role', z.looseObject({ ManagedPolicyArns: z.array(reference).optional() }))
  const blocks = roles.map(({ id, Properties }) => {
    const managed = (Properties.ManagedPolicyArns ?? []).map((arn) => `  managed policy ${arn}`)
    const allowed = service.statements(id).flatMap(line)
    return [ofFunction(service, id), ...[...managed, ...allowed].toSorted()].join('\n')
  })
  return `${blocks.toSorted().join('\n\n')}\n`
}

/** Every way into the service: routes with their function and their throttle, and URLs. */
export function renderRoutes(service: ReadTemplate): string {
  const routes = service.resources('AWS::ApiGatewayV2::Route', z.object({ RouteKey: z.string(), Target: reference }))
  const integrations = service.resources('AWS::ApiGatewayV2::Integration', z.object({ IntegrationUri: reference }))
  const aliases = service.resources('AWS::Lambda::Alias', z.object({ FunctionName: reference }))
  const urls = service.resources('AWS::Lambda::Url', z.object({ TargetFunctionArn: reference, Qualifier: z.string() }))
  const rules = service.resources(
    'AWS::Events::Rule',
    z.object({ ScheduleExpression: z.string(), Targets: z.array(z.object({ Arn: reference })) }),
  )
  const nameOf = (id: string | undefined) => service.lambdas.find((lambda) => lambda.id === id)?.FunctionName
  const live = (alias: string | undefined) =>
    `${nameOf(aliases.find(({ id }) => id === alias)?.Properties.FunctionName)}:live`
  const lines = [
    ...routes.map(({ Properties: { RouteKey, Target } }) => {
      const integration = integrations.find(({ id }) => Target === `integrations/${id}`)
      return `${RouteKey} -> ${live(integration?.Properties.IntegrationUri)}`
    }),
    ...urls.map(
      ({ Properties }) => `URL -> ${nameOf(Properties.TargetFunctionArn.replace('.Arn', ''))}:${Properties.Qualifier}`,
    ),
    ...rules.map(({ Properties }) => `${Properties.ScheduleExpression} -> ${live(Properties.Targets[0]?.Arn)}`),
  ]
  return `${lines.toSorted().join('\n')}\n`
}
