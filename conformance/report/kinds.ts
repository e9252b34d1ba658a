/** The kinds of reports. */
export const reportKinds = ['json', 'junit', 'html', 'ctrf'] as const

export type ReportKind = (typeof reportKinds)[number]
