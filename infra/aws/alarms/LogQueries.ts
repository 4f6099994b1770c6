import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { areas } from '../../manifest.ts'
import { functionName } from '../constructs/functionNames.ts'

/** A query that people find under its name in CloudWatch Logs Insights. They replace what is in angle brackets. */
interface SavedQuery {
  readonly id: string
  readonly name: string
  readonly logGroupNames: readonly string[]
  readonly queryString: string
}

/** The queries of a stage. CloudWatch takes 50 log groups for a query at most. */
export function savedQueries(stage: string): SavedQuery[] {
  const accessLog = `/aws/vendedlogs/${stage}-console-api`
  const logOf = ({ name }: { readonly name: string }) => `/aws/lambda/${functionName({ name: stage }, name)}`
  const billing = areas.billing.map(logOf)
  return [
    {
      id: 'OneRequest',
      name: 'One request',
      logGroupNames: [accessLog, ...billing],
      queryString: 'filter requestId = "<request_id>" | sort @timestamp | display @log, @message',
    },
    {
      id: 'ErrorsByRoute',
      name: 'Errors by route',
      logGroupNames: [accessLog],
      queryString: 'filter status >= 400 | stats count(*) as answers by routeKey, status | sort answers desc',
    },
    {
      id: 'OneOrganization',
      name: 'One organization',
      logGroupNames: billing,
      queryString:
        'filter organizationId = "<organization_id>" | sort @timestamp | display @log, message, product, n, requestId',
    },
    {
      id: 'SlowCalls',
      name: 'Slow calls',
      logGroupNames: [accessLog],
      queryString:
        'filter responseLatency > 3000 | sort responseLatency desc | display requestTime, routeKey, status, responseLatency, integrationLatency, requestId | limit 100',
    },
  ]
}

/** Saves the queries of the runbook's page about logs. */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, stage: string) {
    super(scope, id)
    for (const { id: queryId, name, logGroupNames, queryString } of savedQueries(stage)) {
      new CfnQueryDefinition(this, queryId, {
        name: `${stage}-console/${name}`,
        logGroupNames: [...logGroupNames],
        queryString,
      })
    }
  }
}
