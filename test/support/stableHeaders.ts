/** The headers of an answer but for those that differ with each request. */
export function stableHeaders({ headers }: Response): Record<string, string> {
  const { date: _date, 'apigw-requestid': _gateways, 'x-request-id': _own, ...stable } = Object.fromEntries(headers)
  return stable
}
