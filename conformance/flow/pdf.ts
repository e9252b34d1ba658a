/**
 * Builds a PDF file of one empty page (ISO 32000-1 section 7.5), with a comment, and with a stream that no page uses. Each
 * character of `stream` is a byte. The file ends with two line breaks.
 */
export function pdfOf(comment: string, stream: string): Uint8Array<ArrayBuffer> {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << >> >>',
    `<< /Length ${stream.length} >>\r\nstream\r\n${stream}\r\nendstream`,
  ]
  let text = `%PDF-1.4\r\n%${comment}\r\n`
  // Each entry of the cross-reference table has 20 bytes.
  let table = '0000000000 65535 f\r\n'
  for (const [index, object] of objects.entries()) {
    table += `${String(text.length).padStart(10, '0')} 00000 n\r\n`
    text += `${index + 1} 0 obj\r\n${object}\r\nendobj\r\n`
  }
  const trailer = `trailer\r\n<< /Size ${objects.length + 1} /Root 1 0 R >>\r\nstartxref\r\n${text.length}\r\n%%EOF\n\n`
  text += `xref\r\n0 ${objects.length + 1}\r\n${table}${trailer}`
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at)
  return bytes
}
