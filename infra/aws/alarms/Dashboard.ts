import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import type { AlarmSources } from './alarmRow.ts'
import { routeGraphs } from './LogQueries.ts'
import {
  accessLogMetrics,
  apiFaults,
  lambdaMetric,
  mailMetric,
  serviceMetrics,
  tableThrottles,
  urlFaults,
} from './metrics.ts'

interface DashboardProps {
  readonly stage: StageSettings
  readonly from: AlarmSources
  readonly alarms: IAlarm[]
  /** The metrics of `surroundingAlarms`. */
  readonly surroundings: IMetric[]
}

/** A page: the alarms, then purchases, webhooks, the API and its routes, functions and tables. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { stage, from, alarms, surroundings }: DashboardProps) {
    super(scope, id)
    const { webhook, sweep, moneyMails, relay, deliver, reconcile, erase, domains, removals } = from
    const functions = [
      ...from.apiFunctions,
      webhook,
      sweep,
      moneyMails,
      relay,
      deliver,
      reconcile,
      erase,
      domains,
      removals,
    ]
    const perFunction = (metric: string, statistic?: string) =>
      functions.map((name) => lambdaMetric(metric, name, statistic))
    const mail = (metric: string, statistic?: string) => mailMetric(metric, from.mailConfigurationSet, statistic)
    const serviceMetric = serviceMetrics(from.stage)
    const accessLogMetric = accessLogMetrics(from.stage)
    const oldest = serviceMetric('PendingAge', { statistic: 'Maximum' })
    const rows: IWidget[][] = [
      [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 })],
      [
        graph('Purchases', [serviceMetric('LinesBought'), serviceMetric('PurchasesUnknown')], [oldest]),
        graph(
          'Differences from Stripe',
          [
            serviceMetric('OrphanedSubscriptions'),
            serviceMetric('SubscriptionsReported'),
            serviceMetric('Drift'),
            serviceMetric('DriftLeft'),
          ],
          [serviceMetric('ReconciliationAge', { statistic: 'Maximum' })],
        ),
      ],
      [
        graph(
          'Webhooks',
          [serviceMetric('WebhooksNotRecorded'), urlFaults(from.webhook)],
          [serviceMetric('WebhookLag', { statistic: 'p95' })],
        ),
        graph('Refused', [
          serviceMetric('WebhooksForged'),
          serviceMetric('RateLimited'),
          serviceMetric('LinesRefused'),
          accessLogMetric('Unauthorized'),
          accessLogMetric('TokenCalls'),
          accessLogMetric('TokenRefusals'),
          accessLogMetric('Throttled'),
        ]),
      ],
      [
        graph('Around the service', surroundings),
        graph('Neighbors', [
          serviceMetric('KmsFailures'),
          serviceMetric('StripeKeyRefused'),
          serviceMetric('StripeNotAnswering'),
        ]),
      ],
      [
        graph(
          'API',
          [from.api.metricCount(), from.api.metricClientError(), apiFaults(from.api)],
          [from.api.metricLatency({ statistic: 'p95' })],
        ),
        graph('Buying, canceling and paying', [accessLogMetric('BillingCalls'), accessLogMetric('BillingFaults')]),
      ],
      routeGraphs(stage.name).map((each) => new LogQueryWidget({ ...each, ...byRoute })),
      [
        graph('Dead letters', [from.deadLetters.metricApproximateNumberOfMessagesVisible()]),
        graph(
          'Age of what the stream brings',
          [relay, deliver].map((name) => lambdaMetric('IteratorAge', name, 'Maximum')),
        ),
      ],
      [graph('Function calls', perFunction('Invocations')), graph('Function errors', perFunction('Errors'))],
      [
        graph('Function durations, p95', perFunction('Duration', 'p95')),
        graph('Function throttles', perFunction('Throttles')),
      ],
      [
        graph('Table throttles', from.tables.flatMap(tableThrottles)),
        graph(
          'Mail',
          [
            mail('Send'),
            mail('Bounce'),
            mail('Complaint'),
            mail('Reject'),
            serviceMetric('MailsNotSent'),
            serviceMetric('EventsNotRelayed'),
          ],
          [mail('Reputation.BounceRate', 'Maximum'), mail('Reputation.ComplaintRate', 'Maximum')],
        ),
      ],
    ]
    new CloudWatchDashboard(this, 'Dashboard', { dashboardName: `${stage.name}-console`, widgets: rows })
  }
}

/** A bar for each route (CloudWatch Logs' user guide, Visualize log data grouped by fields). */
const byRoute = { view: LogQueryVisualizationType.BAR, width: 8, height: 6 } as const

function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, width: 12, height: 6 })
}
