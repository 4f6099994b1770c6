/** AWS's price of a unit, in US dollars. */
export interface Price {
  readonly dollars: number
  readonly unit: string
  /** The source of the figure, or `remembered`. */
  readonly source: string
  /** False if AWS's own page was not seen, or if sources contradict each other. */
  readonly verified: boolean
}

/** The date of the table; region us-east-1, no free tier. */
export const PRICES_OF = '2026-11-20'

const million = 1e6
const dynamoDbSource = 'airbyte.com/data-engineering-resources/dynamodb-pricing'
const remembered = 'remembered'

/** Prices of us-east-1, on demand. */
export const prices = {
  httpApiRequest: {
    dollars: 1 / million,
    unit: 'request to an HTTP API',
    source: 'infraatlas.dev/decisions/rest-api-vs-http-api',
    verified: true,
  },
  lambdaRequest: { dollars: 0.2 / million, unit: 'invocation', source: remembered, verified: false },
  lambdaGbSecond: { dollars: 13.3334 / million, unit: 'GB-second on arm64', source: remembered, verified: false },
  readUnit: {
    dollars: 0.125 / million,
    unit: 'consistent read of 4 KB',
    source: dynamoDbSource,
    verified: true,
  },
  writeUnit: { dollars: 0.625 / million, unit: 'write of 1 KB', source: dynamoDbSource, verified: true },
  kmsSymmetric: {
    dollars: 3 / million,
    unit: 'Encrypt or Decrypt',
    source: 'wring.co; c3x.dev',
    verified: false,
  },
  /** KMS charges the symmetric price for RSA_2048. Sources that give a single price for all asymmetric keys, P-256 included, say 15 per million. */
  kmsSignRsa2048: {
    dollars: 3 / million,
    unit: 'Sign with a key of RSA_2048',
    source: 'wring.co (3 a million); c3x.dev, factualminds.com (15, of ECC_NIST_P256)',
    verified: false,
  },
  kmsKeyMonth: { dollars: 1, unit: 'key and month', source: remembered, verified: false },
  secretMonth: { dollars: 0.4, unit: 'secret and month', source: 'stevekinney.com', verified: true },
  /** Standard resolution. If an alarm is on an expression, each metric in it is charged. */
  alarmMetricMonth: {
    dollars: 0.1,
    unit: 'metric of an alarm and month',
    source: 'c3x.dev (an alarm); aws.amazon.com/cloudwatch/pricing counts alarm metrics',
    verified: false,
  },
  compositeAlarmMonth: { dollars: 0.5, unit: 'composite alarm and month', source: remembered, verified: false },
  customMetricMonth: { dollars: 0.3, unit: 'custom metric and month', source: remembered, verified: false },
  dashboardMonth: { dollars: 3, unit: 'dashboard and month, after three', source: remembered, verified: false },
  /** DynamoDB's events cost extra, but only throttled requests are events here. */
  insightRuleMonth: {
    dollars: 0.5,
    unit: 'rule of Contributor Insights and month',
    source: 'usage.ai/blog/aws-reserved-instances-dynamodb-contributor-insights',
    verified: false,
  },
  canaryRun: { dollars: 0.0012, unit: 'run of a canary', source: remembered, verified: false },
  logGigabyte: { dollars: 0.5, unit: 'GB of logs taken in', source: remembered, verified: false },
  outGigabyte: { dollars: 0.09, unit: 'GB sent to the internet', source: remembered, verified: false },
  /** EventBridge Scheduler's price; a scheduled rule costs no more. */
  schedulerRun: { dollars: 1 / million, unit: 'run by a schedule', source: remembered, verified: false },
} as const satisfies Readonly<Record<string, Price>>
