/** The kinds of reports. */
export const reportKinds = ['json', 'junit', 'html', 'ctrf', 'har'] as const

export type ReportKind = (typeof reportKinds)[number]

/** The kinds of reports of a replay or a comparison. */
export const sessionReportKinds = ['json', 'junit', 'html'] as const
export type SessionReportKind = (typeof sessionReportKinds)[number]
