import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'

/**
 * A line of the API's access log, as JSON: field -> API Gateway's variable. It has no query string, header or body, and the route in place of
 * the path, so that no token and no personal id can get in.
 */
const accessLogFields = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  protocol: '$context.protocol',
  httpMethod: '$context.httpMethod',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  integrationStatus: '$context.integrationStatus',
  integrationLatency: '$context.integrationLatency',
  integrationRequestId: '$context.integration.requestId',
  errorMessage: '$context.error.message',
} as const

/** `accessLogFields` as the API's stage takes it. */
export const accessLogFormat = AccessLogFormat.custom(JSON.stringify(accessLogFields))
