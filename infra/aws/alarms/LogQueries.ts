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

/** The log of a stage's API, a line for each call. */
const accessLogOf = (stage: string) => `/aws/vendedlogs/${stage}-console-api`

/** What the dashboard shows of each route. The API's own metrics know no route, unless they are paid for by the route. */
export function routeGraphs(stage: string) {
  const busiest = 'limit 20'
  return [
    {
      title: 'Calls by route',
      queryLines: ['stats count(*) as calls by routeKey', 'sort calls desc', busiest],
    },
    {
      title: 'Faults by route',
      queryLines: ['filter status >= 500', 'stats count(*) as faults by routeKey', 'sort faults desc', busiest],
    },
    {
      title: 'Milliseconds by route, p95',
      queryLines: ['stats pct(responseLatency, 95) as p95 by routeKey', 'sort p95 desc', busiest],
    },
  ].map((graph) => ({ ...graph, logGroupNames: [accessLogOf(stage)] }))
}

/** The queries of a stage. CloudWatch takes 50 log groups for a query at most. */
export function savedQueries(stage: string): SavedQuery[] {
  const accessLog = accessLogOf(stage)
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
