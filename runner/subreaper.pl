# Runs programs one after the other and keeps what descends from them in sight: Linux gives orphans to the nearest
# ancestor that has asked for them, so that nothing which forks away, leaves its session and empties its environment is
# lost. Node cannot ask (it takes a system call), and perl-base is part of every Debian and Ubuntu.
#
#   subreaper.pl <prctl> <setsid> <mknodat> <O_NOFOLLOW> <sandboxed: 1 or 0> <folder> <name> <name>
#
# The first three are numbers of system calls, the fourth that of a flag; the folder is the one that steps work in, and below it are made the two
# pipes that the programs write to (of a socket, as Node makes them, nobody can open /dev/stderr). File descriptor 3 is a socket of the process that started it:
#
#   from it  `ready`, once; for each program that has ended `<exit code> <signal> <alone> <kept>`: whether nothing is left
#            of it (1 or 0), and whether its step's folder is kept here for the next. An exit code of -1: there is no such
#            folder to run it in
#   to it    four bytes of length and the program: its folder, the name of its step, what the step's context and script
#            are to hold, the number of its arguments, these, and its environment, parted by NUL; without a name the
#            step's folder has been laid out. A length of 0 lets what is left of the last program live on
#
# After a success of which nothing is left it takes the next program. After a failure it stays until nothing is left:
# the process that started it ends the rest. So it does after a success of which something is left, until that may live on.
use strict;
use warnings;

my ($prctl, $setsid, $mknodat, $no_follow, $sandboxed, $work, @names) = @ARGV;
my @pipes = map { "$work/pipes/$_" } @names;
my ($set_child_subreaper, $at_cwd, $fifo, $no_hang, $no_child, $interrupted, $write_only) = (36, -100, 0010600, 1, 10, 4, 1);
# O_WRONLY, O_CREAT and O_NONBLOCK; and EPERM.
my ($only_itself, $not_allowed) = (1 | 0100 | 04000 | $no_follow, 1);
$0 = 'sluice-reaper';
syscall(0 + $prctl, $set_child_subreaper, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
# Handlers, because what is ignored would be ignored by the programs too.
$SIG{$_} = sub { } for qw(TERM INT HUP PIPE);

open(my $wire, '+<&=', 3) or die "file descriptor 3: $!\n";
# What is wrong with the folder is said by what is to be made in it.
mkdir("$work/pipes", 0700);
for my $pipe (@pipes) {
  syscall(0 + $mknodat, $at_cwd, $pipe, $fifo, 0) == 0 or die "$pipe: $!\n";
}
report('ready');
# Each waits for its reader, who may have died meanwhile. (With open, for which a file is made where there is none, what
# is written could go into a file that nobody reads.)
alarm(10);
sysopen(my $out, $pipes[0], $write_only) or die "$pipes[0]: $!\n";
sysopen(my $err, $pipes[1], $write_only) or die "$pipes[1]: $!\n";
unlink(@pipes);
open(STDOUT, '>&', $out) or die "$pipes[0]: $!\n";
open(STDERR, '>&', $err) or die "$pipes[1]: $!\n";
close($_) for $out, $err;
alarm(0);

# The step folder that the next may have: there is nothing more in it than was laid out.
my $last;

while (my $job = read_job()) {
  my ($folder, $step, $context, $script, $count, @rest) = split(/\0/, $job, -1);
  my @command = splice(@rest, 0, $count);
  if ($step ne '') {
    if (!prepare("$work/steps/$step", $context, $script)) {
      syswrite(STDERR, "$work/steps/$step: $!\n");
      report('126 0 1 0');
      next;
    }
    if (!-d $folder) {
      report('-1 0 1 0');
      next;
    }
  }
  my $pid = fork();
  if (!defined $pid) {
    syswrite(STDERR, "no process could be made: $!\n");
    report('126 0 1 0');
    exit 1;
  }
  become($folder, \@command, \@rest) if $pid == 0;
  my $status = wait_for($pid);
  my $ok = $status == 0;
  my $alone = !is_anything_left();
  if (!$ok or !$alone) {
    # The reader sees the end as soon as nobody else holds the pipes.
    open(STDOUT, '>', '/dev/null');
    open(STDERR, '>', '/dev/null');
  }
  my $kept = $ok && $alone && $step ne '' && has_nothing_more("$work/steps/$step");
  $last = "$work/steps/$step" if $kept;
  report(join(' ', $status >> 8, $status & 127, $alone ? 1 : 0, $kept ? 1 : 0));
  clear() if $kept;
  next if $ok and $alone;
  stay(!$ok);
  last;
}

# runner/step/step-folders.ts is the same for other steps; asking another process costs too much here (docs/adr/0115).
# The folder of the last step gets the name of this one, as long as it is fit for that. (Making a file takes ext4 ten times
# as long as writing into one that there is.)
sub prepare {
  my ($folder, $context, $script) = @_;
  mkdir("$work/$_", 0700) for qw(home tmp steps);
  my $from = $last;
  $last = undef;
  return 1 if defined $from and rename($from, $folder) and write_files($folder, $context, $script);
  mkdir($folder, 0700);
  mkdir("$folder/artefacts", 0700);
  return write_files($folder, $context, $script);
}

sub write_files {
  my ($folder, $context, $script) = @_;
  return put("$folder/step_context.json", 0600, $context) && put("$folder/script-1", 0700, $script);
}

# Only a file that nobody else can know of. One that is cut to nothing first is brought to the disk when it is closed.
sub put {
  my ($path, $mode, $text) = @_;
  sysopen(my $file, $path, $only_itself, $mode) or return 0;
  my (undef, undef, $is, $links, undef, undef, undef, $size) = stat($file);
  if ($is != (0100000 | $mode) or $links != 1) {
    $! = $not_allowed;
    return 0;
  }
  return truncate($file, $size < 1 ? 0 : 1) if !defined $text;
  for (my $at = 0; $at < length($text);) {
    $at += syswrite($file, $text, length($text) - $at, $at) // return 0;
  }
  return truncate($file, length($text));
}

# What the last step was told is read by nobody any more.
sub clear {
  $last = undef if !put("$last/step_context.json", 0600) or !put("$last/script-1", 0700);
}

sub has_nothing_more {
  my ($folder) = @_;
  my $artefacts = "$folder/artefacts";
  # Both as they were made: a step may have closed them, to itself as well.
  for my $made ($folder, $artefacts) {
    my @about = lstat($made);
    return 0 if !@about or $about[2] != 0040700;
  }
  opendir(my $own, $folder) or return 0;
  for my $name (readdir($own)) {
    return 0 if $name !~ /^(\.|\.\.|step_context\.json|script-1|artefacts)$/;
  }
  opendir(my $left, $artefacts) or return 0;
  my @left = readdir($left);
  return @left == 2;
}

sub become {
  my ($folder, $command, $environment) = @_;
  close($wire);
  syscall(0 + $setsid);
  $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP PIPE);
  %ENV = map { split(/=/, $_, 2) } @$environment;
  if (!chdir($folder)) {
    syswrite(STDERR, "$folder: $!\n");
    exit 126;
  }
  no warnings 'exec';
  exec { $command->[0] } @$command;
  syswrite(STDERR, "$command->[0] could not be started: $!\n");
  exit 127;
}

sub wait_for {
  my ($pid) = @_;
  while (1) {
    my $ended = waitpid(-1, 0);
    return $? if $ended == $pid;
    return 1 if $ended == -1 and $! == $no_child;
  }
}

# Processes; and in a sandbox, whose end takes it away, also shared memory, semaphores and queues.
sub is_anything_left {
  my $child;
  1 while ($child = waitpid(-1, $no_hang)) > 0;
  return 1 if $child == 0;
  return 0 if !$sandboxed;
  for my $kind (qw(shm sem msg)) {
    open(my $list, '<', "/proc/sysvipc/$kind") or next;
    my @lines = <$list>;
    return 1 if @lines > 1;
  }
  return 0;
}

# Until no process is left; or, after a success, until they may live on.
sub stay {
  my ($to_the_end) = @_;
  local $SIG{CHLD} = sub { };
  while (waitpid(-1, $no_hang) != -1) {
    my $told = '';
    vec($told, fileno($wire), 1) = 1 if !$to_the_end;
    return if select($told, undef, undef, 0.05) > 0;
  }
}

sub read_job {
  my $length = unpack('N', read_whole(4) // return undef);
  return $length == 0 ? undef : read_whole($length);
}

sub read_whole {
  my ($length) = @_;
  my $whole = '';
  while (length($whole) < $length) {
    my $got = sysread($wire, $whole, $length - length($whole), length($whole));
    return undef if defined $got ? $got == 0 : $! != $interrupted;
  }
  return $whole;
}

sub report {
  syswrite($wire, "$_[0]\n");
}
