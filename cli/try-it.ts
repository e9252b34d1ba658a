/** Returns the documented flow as curl commands that can be pasted into any POSIX shell. */
export function tryIt(url: string, freelySteered: boolean): string {
  const post = `-H "Authorization: $KEY" -H 'Content-Type: application/json' -d`
  return `Try the documented flow in another terminal:

  API=${url}/api/v1 KEY=test_demo
  field() { grep -o "\\"$1\\":\\"[^\\"]*" | head -n 1 | cut -d '"' -f 4; }

  # Create a workflow
  WORKFLOW=$(curl -s $API/workflows ${post} '{"name":"Contract","steps":[{"step_id":"legal","name":"Legal review","order":1,"type":"approval","approvers":[{"email":"lena@example.com","name":"Lena"}],"estimated_duration":60}]}' | field workflow_id)

  # Upload a document: request a URL, put the file there, confirm
  printf 'Hello' > hello.txt
  UPLOAD=$(curl -s $API/upload/ ${post} '{"file_name":"hello.txt","content_type":"text/plain","file_size":5}')
  curl -s -T hello.txt -H 'Content-Type: text/plain' "$(echo "$UPLOAD" | field upload_url)"
  DOCUMENT=$(curl -s $API/upload/confirm ${post} "{\\"session_id\\":\\"$(echo "$UPLOAD" | field session_id)\\",\\"completed_files\\":[{\\"key\\":\\"$(echo "$UPLOAD" | field key)\\",\\"file_name\\":\\"hello.txt\\"}]}" | field document_id)

  # Execute the workflow for the document, then read its details
  curl -s $API/workflows/$WORKFLOW/execute ${post} "{\\"document_id\\":\\"$DOCUMENT\\",\\"submitter_email\\":\\"sam@example.com\\",\\"execution_mode\\":\\"standard\\",\\"priority\\":\\"high\\"}"
  curl -s $API/workflows/$WORKFLOW -H "Authorization: $KEY"
${freelySteered ? advanceCommands(url, post) : ''}`
}

/** Returns the commands that advance the clock until the simulated approver has decided. */
function advanceCommands(url: string, post: string): string {
  return `
  # Advance the clock by a day, then see the simulated approver's decision
  curl -s ${url}/__admin/clock/advance ${post} '{"duration":"P1D"}'
  curl -s $API/workflows/$WORKFLOW -H "Authorization: $KEY"
`
}
