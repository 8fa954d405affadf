% Runs programs on request: each line of standard input holds statements.
% It is answered by what they print and a line DONE with seconds, or FAILED with a message.
1;
while true
  request_ = fgetl(stdin);
  if ! ischar(request_)
    break
  elseif isempty(request_)
    continue
  end
  started_ = tic;
  try
    eval(request_);
    printf("DONE %.9f\n", toc(started_));
  catch problem_
    printf("FAILED %s\n", strrep(problem_.message, "\n", " "));
  end
  fflush(stdout);
end
